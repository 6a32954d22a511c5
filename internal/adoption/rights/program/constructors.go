package program

import (
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

const (
	clientSet = "k8s.io/client-go/kubernetes/typed/"
	coreSink  = clientSet + "core/v1.EventSinkImpl"
)

// opaque are modules whose code is not read.
var opaque = []string{"k8s.io/client-go", "k8s.io/api", "k8s.io/apimachinery", facts.ControllerRuntime, facts.RunTime}

func isOpaque(path string) bool {
	return slices.ContainsFunc(opaque, func(p string) bool { return within(path, p) })
}

// constructor describes the rights that a program needs because of a call of a function. An adapter
// needs none: its methods do.
func constructor(fn *types.Func) (need rights.Need, ok bool) {
	name := scan.ObjectName(fn)
	if c, ok := facts.Constructors[name]; ok && !c.Adapter {
		return rights.Need{Group: c.Group, Fallback: c.Fallback, What: short(name)}, true
	}
	if fn.Pkg() == nil || !within(scan.RealPath(fn.Pkg().Path()), facts.ControllerRuntime) || fn.Signature().Recv() == nil {
		return rights.Need{}, false
	}
	for _, group := range groups[facts.Methods[fn.Name()]] {
		return rights.Need{Group: group, What: fn.Name()}, true
	}
	return rights.Need{}, false
}

func short(name string) string { return name[strings.LastIndex(name, "/")+1:] }

// ofManagers make a recorder of a manager. Code knows the manager as an interface, so it may be one
// of ours.
var ofManagers = []string{"GetEventRecorder", "runtime.For"}

// withClusterNamespace reports whether a function takes broadcaster.Options, and so the option
// ClusterNamespace.
func withClusterNamespace(name string) bool {
	return name == facts.RunTime+"/broadcaster.New" || facts.ManagerMakers[name]
}

// broadcasters write to the sinks that they get.
var broadcasters = []string{"record.NewBroadcaster", "record.NewBroadcasterWithCorrelatorOptions", "clientgo.NewBroadcaster"}

// makers are the packages that code imports to make a recorder.
var makers = []string{
	facts.ClientRecord, facts.ClientEvents, facts.ControllerRuntime, facts.ControllerRuntime + "/pkg/manager", facts.ControllerRuntime + "/pkg/cluster",
	facts.ControllerRuntime + "/pkg/recorder", facts.Sinks, facts.DropIn, facts.Managers,
}

// takers make a recorder on a value in their options, or on an interface of their own.
var takers = []string{facts.RunTime + "/broadcaster.New", facts.RunTime + ".FromEvents", facts.RunTime + ".FromRecord"}

// isUnknownMaker reports whether a function of an unread module is a constructor of a later
// version: it makes a recorder, takes no value that records, and is in no table.
func isUnknownMaker(fn *types.Func) bool {
	if fn.Pkg() == nil || !isOpaque(scan.RealPath(fn.Pkg().Path())) {
		return false
	}
	if _, known := constructor(fn); known || slices.Contains(takers, scan.ObjectName(fn)) {
		return false
	}
	sig := fn.Signature()
	makes, given := false, false
	for v := range sig.Results().Variables() {
		t, records := typeOf(v)
		makes = makes || records && !t.Fake
	}
	for _, v := range slices.AppendSeq([]*types.Var{sig.Recv()}, sig.Params().Variables()) {
		_, records := typeOf(v)
		given = given || records
	}
	return makes && !given
}

// typeOf returns the facts about a variable's type. It accepts nil.
func typeOf(v *types.Var) (t facts.Type, records bool) {
	if v != nil {
		t, records = facts.Types[scan.TypeName(scan.Deref(v.Type()))]
	}
	return t, records
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
