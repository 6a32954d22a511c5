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
	controllerRuntime = "sigs.k8s.io/controller-runtime"
	ourSinks          = "github.com/event-gen/event-gen/runtime/sink/kube"
	ourDropIn         = "github.com/event-gen/event-gen/runtime/clientgo"
)

// opaque are modules that are not looked into.
var opaque = []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery", controllerRuntime, "github.com/event-gen/event-gen/runtime"}

func isOpaque(path string) bool {
	return slices.ContainsFunc(opaque, func(p string) bool { return within(path, p) })
}

// constructors are functions that make a broadcaster or a sink, by full name.
var constructors = map[string]rights.Need{
	clientRecord + ".NewBroadcaster":                        {Group: rights.CoreGroup, What: "record.NewBroadcaster"},
	clientRecord + ".NewBroadcasterForTests":                {Group: rights.CoreGroup, What: "record.NewBroadcasterForTests"},
	clientRecord + ".NewBroadcasterWithCorrelatorOptions":   {Group: rights.CoreGroup, What: "record.NewBroadcasterWithCorrelatorOptions"},
	clientEvents + ".NewBroadcaster":                        {Group: rights.EventsGroup, What: "events.NewBroadcaster"},
	clientEvents + ".NewEventBroadcasterAdapter":            {Group: rights.EventsGroup, What: "events.NewEventBroadcasterAdapter"},
	clientEvents + ".NewEventBroadcasterAdapterWithContext": {Group: rights.EventsGroup, What: "events.NewEventBroadcasterAdapterWithContext"},
	ourDropIn + ".NewBroadcaster":                           {Group: rights.CoreGroup, What: "clientgo.NewBroadcaster"},
	ourDropIn + ".NewEventsBroadcaster":                     {Group: rights.EventsGroup, What: "clientgo.NewEventsBroadcaster"},
	ourDropIn + ".NewEventBroadcasterAdapter":               {Group: rights.EventsGroup, What: "clientgo.NewEventBroadcasterAdapter"},
	ourSinks + ".CoreV1":                                    {Group: rights.CoreGroup, What: "kube.CoreV1"},
	ourSinks + ".EventsV1":                                  {Group: rights.EventsGroup, What: "kube.EventsV1"},
	ourSinks + ".Auto":                                      {Group: rights.EventsGroup, Fallback: true, What: "kube.Auto"},
	ourSinks + ".Options.CoreV1":                            {Group: rights.CoreGroup, What: "kube.Options.CoreV1"},
	ourSinks + ".Options.EventsV1":                          {Group: rights.EventsGroup, What: "kube.Options.EventsV1"},
	ourSinks + ".Options.Auto":                              {Group: rights.EventsGroup, Fallback: true, What: "kube.Options.Auto"},
	ourSinks + ".Options.CoreV1Client":                      {Group: rights.CoreGroup, What: "kube.Options.CoreV1Client"},
	ourSinks + ".Options.EventsV1Client":                    {Group: rights.EventsGroup, What: "kube.Options.EventsV1Client"},
	ourSinks + ".Options.AutoClient":                        {Group: rights.EventsGroup, Fallback: true, What: "kube.Options.AutoClient"},
}

// constructor describes the rights that a program needs because of a call of a function.
func constructor(fn *types.Func) (rights.Need, bool) {
	if need, ok := constructors[scan.ObjectName(fn)]; ok {
		return need, true
	}
	if fn.Pkg() == nil || !within(scan.RealPath(fn.Pkg().Path()), controllerRuntime) || fn.Signature().Recv() == nil {
		return rights.Need{}, false
	}
	need, ok := methods[fn.Name()]
	return need, ok
}

// methods are the methods of controller-runtime's managers that make recorders (pkg/recorder/recorder.go and pkg/cluster/cluster.go).
var methods = map[string]rights.Need{
	"GetEventRecorderFor": {Group: rights.CoreGroup, What: "GetEventRecorderFor"},
	"GetEventRecorder":    {Group: rights.EventsGroup, What: "GetEventRecorder"},
}

// eventTypes maps types to API groups. Code that names one of the types handles events itself.
var eventTypes = map[string]string{
	"k8s.io/api/core/v1.Event":        rights.CoreGroup,
	"k8s.io/api/core/v1.EventList":    rights.CoreGroup,
	"k8s.io/api/events/v1.Event":      rights.EventsGroup,
	"k8s.io/api/events/v1.EventList":  rights.EventsGroup,
	"k8s.io/api/events/v1beta1.Event": rights.EventsGroup,
}

func within(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

// interfaceMethods returns the names of all interface methods that the packages and their imports declare. A call through an interface can
// reach a type's method of such a name.
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

// exported adds the methods of the interfaces in a package's scope, and in the scopes of its imports.
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
