package program

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// The packages whose constructors are known.
const (
	clientRecord      = "k8s.io/client-go/tools/record"
	clientEvents      = "k8s.io/client-go/tools/events"
	internalEvents    = "k8s.io/client-go/tools/internal/events"
	clientSet         = "k8s.io/client-go/kubernetes/typed/"
	coreSink          = clientSet + "core/v1.EventSinkImpl"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
	ourRunTime        = "github.com/event-gen/event-gen/runtime"
	ourSinks          = ourRunTime + "/sink/kube"
	ourDropIn         = ourRunTime + "/clientgo"
	ourManager        = ourRunTime + "/ctrlevents"
)

// opaque are modules that are not looked into.
var opaque = []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery", controllerRuntime, ourRunTime}

func isOpaque(path string) bool {
	return slices.ContainsFunc(opaque, func(p string) bool { return within(path, p) })
}

// The sets of rules of which one is enough for a recorder. Each rule is create and patch on events.
var (
	core   = rights.Need{Group: rights.CoreGroup}
	events = rights.Need{Group: rights.EventsGroup}
	// either: the pipeline writes events.k8s.io, and the core group if that is forbidden.
	either = rights.Need{Group: rights.EventsGroup, Fallback: true}
)

// constructors are functions and methods that make a broadcaster, a sink or a recorder, by full
// name. Other functions of the same packages that return one make it from what they are given.
var constructors = map[string]rights.Need{
	clientRecord + ".NewBroadcaster":                      core,
	clientRecord + ".NewBroadcasterForTests":              core,
	clientRecord + ".NewBroadcasterWithCorrelatorOptions": core,
	clientEvents + ".NewBroadcaster":                      events,

	// The recorders of one adapter write to different groups (tools/events/event_broadcaster.go).
	clientEvents + ".EventBroadcasterAdapter.NewRecorder":                 events,
	clientEvents + ".EventBroadcasterAdapter.DeprecatedNewLegacyRecorder": core,

	ourDropIn + ".NewBroadcaster":                                      core,
	ourDropIn + ".NewEventsBroadcaster":                                events,
	ourDropIn + ".EventBroadcasterAdapter.NewRecorder":                 either,
	ourDropIn + ".EventBroadcasterAdapter.DeprecatedNewLegacyRecorder": core,

	ourSinks + ".CoreV1":                 core,
	ourSinks + ".EventsV1":               events,
	ourSinks + ".Auto":                   either,
	ourSinks + ".Options.CoreV1":         core,
	ourSinks + ".Options.EventsV1":       events,
	ourSinks + ".Options.Auto":           either,
	ourSinks + ".Options.CoreV1Client":   core,
	ourSinks + ".Options.EventsV1Client": events,
	ourSinks + ".Options.AutoClient":     either,
	ourSinks + ".Sink.CoreV1":            core,

	ourManager + ".Manager.Events":      either,
	ourManager + ".Manager.Broadcaster": either,

	ourRunTime + ".For": events, // of a manager's GetEventRecorder
}

// methods are the methods of controller-runtime's managers and clusters that make recorders
// (pkg/recorder/recorder.go and pkg/cluster/cluster.go).
var methods = map[string]rights.Need{"GetEventRecorderFor": core, "GetEventRecorder": events}

// constructor describes the rights that a program needs because of a call of a function.
func constructor(fn *types.Func) (need rights.Need, ok bool) {
	name := scan.ObjectName(fn)
	if need, ok = constructors[name]; ok {
		need.What = name[strings.LastIndex(name, "/")+1:]
		return need, true
	}
	if fn.Pkg() == nil || !within(scan.RealPath(fn.Pkg().Path()), controllerRuntime) || fn.Signature().Recv() == nil {
		return rights.Need{}, false
	}
	need, ok = methods[fn.Name()]
	need.What = fn.Name()
	return need, ok
}

// ofManagers are what makes a recorder of a manager that code knows as an interface; the manager
// behind it may be one of ours.
var ofManagers = []string{"GetEventRecorder", "runtime.For"}

// managers make a manager.Manager whose GetEventRecorder falls back to the core group, also for
// callers that know only the interface.
var managers = []string{ourManager + ".NewManager", ourManager + ".Wrap"}

// withClusterNamespace take broadcaster.Options, and so the option ClusterNamespace.
var withClusterNamespace = append([]string{ourRunTime + "/broadcaster.New"}, managers...)

// broadcasters write to the sinks that they get.
var broadcasters = []string{"record.NewBroadcaster", "record.NewBroadcasterWithCorrelatorOptions", "clientgo.NewBroadcaster"}

// makers are the packages by whose import code can make a recorder.
var makers = []string{
	clientRecord, clientEvents, controllerRuntime, controllerRuntime + "/pkg/manager", controllerRuntime + "/pkg/cluster",
	controllerRuntime + "/pkg/recorder", ourSinks, ourDropIn, ourManager,
}

// takers make a recorder on what their options hold, or on an interface of their own.
var takers = []string{ourRunTime + "/broadcaster.New", ourRunTime + ".FromEvents", ourRunTime + ".FromRecord"}

// fakes are recorders that write nowhere.
var fakes = []string{clientRecord + ".FakeRecorder", clientEvents + ".FakeRecorder"}

// recorders are the types by which code records: recorders, broadcasters and sinks. An adapter is
// none before it makes a recorder.
var recorders = []string{
	clientRecord + ".EventRecorder", clientRecord + ".EventRecorderLogger", clientRecord + ".EventRecorderAdapter",
	clientRecord + ".EventBroadcaster", clientRecord + ".EventSink",
	internalEvents + ".EventRecorder", internalEvents + ".EventRecorderLogger", internalEvents + ".AnnotatedEventRecorder",
	clientEvents + ".EventRecorder", clientEvents + ".EventRecorderLogger", clientEvents + ".AnnotatedEventRecorder",
	clientEvents + ".EventBroadcaster", clientEvents + ".EventSink",
	controllerRuntime + "/pkg/recorder.EventRecorder",
	ourRunTime + ".Recorder", ourRunTime + ".Publisher", ourRunTime + "/sink.Sink", ourRunTime + "/broadcaster.Broadcaster",
	ourSinks + ".Sink", ourDropIn + ".Broadcaster", ourDropIn + ".EventsBroadcaster",
}

// isUnknownMaker reports whether a function of a module that is not looked into makes a recorder
// from nothing that records, and is in no table: a constructor of a later version.
func isUnknownMaker(fn *types.Func) bool {
	if fn.Pkg() == nil || !isOpaque(scan.RealPath(fn.Pkg().Path())) {
		return false
	}
	if _, known := constructor(fn); known || slices.Contains(takers, scan.ObjectName(fn)) {
		return false
	}
	sig := fn.Signature()
	given := sig.Recv() != nil && isOneOf(sig.Recv().Type(), recorders, fakes)
	for v := range sig.Params().Variables() {
		given = given || isOneOf(v.Type(), recorders, fakes)
	}
	for v := range sig.Results().Variables() {
		if isOneOf(v.Type(), recorders) && !given {
			return true
		}
	}
	return false
}

func isOneOf(t types.Type, names ...[]string) bool {
	return slices.Contains(slices.Concat(names...), scan.TypeName(scan.Deref(t)))
}

// eventUses maps types and methods of clients to API groups. Code that names one of them handles
// events itself, unless a sink gets the client.
var eventUses = map[string]string{
	"k8s.io/api/core/v1.Event":        rights.CoreGroup,
	"k8s.io/api/core/v1.EventList":    rights.CoreGroup,
	"k8s.io/api/events/v1.Event":      rights.EventsGroup,
	"k8s.io/api/events/v1.EventList":  rights.EventsGroup,
	"k8s.io/api/events/v1beta1.Event": rights.EventsGroup,

	clientSet + "core/v1.EventsGetter.Events":   rights.CoreGroup,
	clientSet + "events/v1.EventsGetter.Events": rights.EventsGroup,
}

func within(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

// interfaceMethods returns the names of all interface methods that the packages and their imports
// declare. A call through an interface can reach a type's method of such a name.
func interfaceMethods(packages []*scan.Package) map[string]bool {
	names := map[string]bool{}
	seen := map[*types.Package]bool{}
	for _, p := range packages {
		if p.Types != nil {
			exported(p.Types, names, seen)
		}
		for _, f := range p.Syntax {
			for n := range ast.Preorder(f) {
				if t, ok := n.(*ast.InterfaceType); ok { // such as one inside of a function
					for _, field := range t.Methods.List {
						for _, id := range field.Names {
							names[id.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

// exported adds the methods of the interfaces in a package's scope, and in the scopes of its
// imports.
func exported(p *types.Package, names map[string]bool, seen map[*types.Package]bool) {
	if seen[p] {
		return
	}
	seen[p] = true
	for _, name := range p.Scope().Names() {
		obj, isType := p.Scope().Lookup(name).(*types.TypeName)
		if isType && types.IsInterface(obj.Type()) {
			for m := range obj.Type().Underlying().(*types.Interface).Methods() {
				names[m.Name()] = true
			}
		}
	}
	for _, i := range p.Imports() {
		exported(i, names, seen)
	}
}
