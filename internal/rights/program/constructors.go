package program

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/rights"
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
	return slices.ContainsFunc(opaque, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
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
	if need, ok := constructors[key(fn)]; ok {
		return need, true
	}
	if fn.Pkg() == nil || !within(path(fn.Pkg()), controllerRuntime) || fn.Signature().Recv() == nil {
		return rights.Need{}, false
	}
	switch fn.Name() { // pkg/recorder/recorder.go and pkg/cluster/cluster.go
	case "GetEventRecorderFor":
		return rights.Need{Group: rights.CoreGroup, What: "GetEventRecorderFor"}, true
	case "GetEventRecorder":
		return rights.Need{Group: rights.EventsGroup, What: "GetEventRecorder"}, true
	}
	return rights.Need{}, false
}

// eventTypes are the types that code names which handles events itself.
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

// interfaceMethods are the names of the methods of all interfaces that the packages, and those that they import, declare. A
// method of a type can be called through one of them.
func interfaceMethods(packages []*Package) map[string]bool {
	names := map[string]bool{}
	seen := map[*types.Package]bool{}
	for _, p := range packages {
		if p.Types != nil {
			exported(p.Types, names, seen)
		}
		for _, f := range p.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				if t, ok := n.(*ast.InterfaceType); ok {
					written(t, names)
				}
				return true
			})
		}
	}
	return names
}

// exported adds the interfaces of a package's scope, and of those that it imports.
func exported(p *types.Package, names map[string]bool, seen map[*types.Package]bool) {
	if seen[p] {
		return
	}
	seen[p] = true
	for _, name := range p.Scope().Names() {
		obj, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if t, ok := obj.Type().Underlying().(*types.Interface); ok {
			for i := range t.NumMethods() {
				names[t.Method(i).Name()] = true
			}
		}
	}
	for _, i := range p.Imports() {
		exported(i, names, seen)
	}
}

// written adds the methods that an interface's text lists, such as one inside of a function.
func written(t *ast.InterfaceType, names map[string]bool) {
	for _, field := range t.Methods.List {
		for _, id := range field.Names {
			names[id.Name] = true
		}
	}
}
