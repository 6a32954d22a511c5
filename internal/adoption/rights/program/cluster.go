package program

import (
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model/markers"
	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
)

// clusterSites notes the sites whose object is cluster-scoped in the nodes of their functions.
func (g *graph) clusterSites(all *scan.Program, sites []*scan.Site) {
	s := scopes{all: all, read: map[string]map[string][]string{}}
	for _, site := range sites {
		node := site.Node()
		if site.Scope == scan.Forwarder || node == nil {
			continue
		}
		for _, t := range site.Regarding.Types {
			if kind, ok := s.clusterScoped(t); ok {
				into := g.starts[site.Package.Path]
				if site.Func != nil && site.Func.Name.Name != "init" {
					into = g.node(scan.ObjectName(site.Package.Info.Defs[site.Func.Name]))
				}
				into.cluster = append(into.cluster, rights.ClusterSite{Pos: g.position(node.Pos()), Kind: kind})
			}
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
