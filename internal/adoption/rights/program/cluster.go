package program

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model/markers"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
)

// clusterSites notes the calls whose object is cluster-scoped, raw and typed ones, in the nodes of
// their functions.
func (g *graph) clusterSites(all *scan.Program, sites []*scan.Site, typed []*scan.TypedCall) {
	s := scopes{all: all, read: map[string]map[string][]string{}}
	for _, site := range sites {
		if node := site.Node(); node != nil && site.Scope != scan.InWrapper {
			g.clusterSite(&s, site.Package, site.Func, node, site.Regarding, groups[site.Shape.API])
		}
	}
	for _, c := range typed {
		for _, object := range c.Regarding {
			g.clusterSite(&s, c.Package, c.Func, c.Node, object, groups[apiOf(c)])
		}
	}
}

// groups are the API groups that the types of recorders stand for.
var groups = map[scan.API][]string{scan.Record: {rights.CoreGroup}, scan.Events: {rights.EventsGroup}}

// apiOf returns the recorder behind a generated one that the call itself makes, as in
// FromRecord(r).Scaled(pod); empty for others.
func apiOf(c *scan.TypedCall) scan.API {
	if c.Call == nil {
		return ""
	}
	if sel, ok := ast.Unparen(c.Call.Fun).(*ast.SelectorExpr); ok {
		if made, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok {
			if fn := scan.Callee(c.Package.Info, made); fn != nil && fn.Signature().Params().Len() == 1 {
				return plain[scan.TypeName(fn.Signature().Params().At(0).Type())]
			}
		}
	}
	return ""
}

// plain are the recorders that FromRecord and FromEvents take.
var plain = map[string]scan.API{facts.RunTime + ".RecordRecorder": scan.Record, facts.RunTime + ".EventsRecorder": scan.Events}

// clusterSite notes a call if a type that its object can have is cluster-scoped.
func (g *graph) clusterSite(s *scopes, p *scan.Package, fn *ast.FuncDecl, call ast.Node, object scan.Object, groups []string) {
	for _, t := range object.Types {
		if kind, ok := s.clusterScoped(t); ok {
			into := g.node(p.Path + ".init")
			if fn != nil {
				into = g.node(scan.ObjectName(p.Info.Defs[fn.Name]))
			}
			into.cluster = append(into.cluster, rights.ClusterSite{Pos: g.position(call.Pos()), Kind: kind, Groups: groups})
		}
	}
}

// scopes finds out which types are cluster-scoped.
type scopes struct {
	all *scan.Program
	// read holds the comments before the types of a package, by import path and type.
	read map[string]map[string][]string
}

// clusterScoped returns the name of a type, if its objects have no namespace: by the table of
// k8s.io/api, or by the markers before the type (controller-tools, pkg/crd/markers/crd.go, and
// k8s.io/code-generator).
func (s *scopes) clusterScoped(t types.Type) (string, bool) {
	named, ok := types.Unalias(scan.Deref(t)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return "", false
	}
	path, name := scan.RealPath(named.Obj().Pkg().Path()), named.Obj().Name()
	if kind, ok := wellknown.LookupType(path, name); ok || types.IsInterface(t) {
		return name, ok && !kind.Namespaced
	}
	return name, slices.ContainsFunc(s.comments(path)[name], func(line string) bool {
		line = strings.ReplaceAll(line, " ", "")
		return line == "+genclient:nonNamespaced" ||
			strings.HasPrefix(line, "+kubebuilder:resource:") && strings.Contains(strings.ReplaceAll(line, `"`, ""), "scope=Cluster")
	})
}

func (s *scopes) comments(path string) map[string][]string {
	comments, known := s.read[path]
	if !known {
		if p := s.all.Read(path); p != nil {
			comments = markers.Before(s.all.Fset, p.Syntax)
		}
		s.read[path] = comments
	}
	return comments
}
