package emit

import (
	"io"
	"slices"
	"strings"
	"text/template"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/header"
	"github.com/event-gen/event-gen/templates"
)

// Groups names the API groups to which a recorder writes events.
type Groups string

// The groups, by the function of package kube that returns the sink.
const (
	// kube.Auto: events.k8s.io, and the core group where that is forbidden
	GroupsAuto   Groups = "auto"
	GroupsCore   Groups = "core"   // kube.CoreV1
	GroupsEvents Groups = "events" // kube.EventsV1
)

var apiGroups = map[Groups][]string{
	GroupsAuto:   {"events.k8s.io", ""},
	GroupsCore:   {""},
	GroupsEvents: {"events.k8s.io"},
}

// Known reports whether the groups have one of the names above.
func (g Groups) Known() bool { return apiGroups[g] != nil }

// Role writes the YAML of the least role that a recorder needs.
func Role(w io.Writer, p *model.Package, groups Groups) error {
	return writeRBAC(w, "role.yaml.tmpl", header.YAML(p.Source), p, groups)
}

// RoleMarkers writes the same role as a Go file with kubebuilder's markers.
func RoleMarkers(w io.Writer, p *model.Package, groups Groups) error {
	return writeRBAC(w, "markers.go.tmpl", header.Go(p.Source), p, groups)
}

func writeRBAC(w io.Writer, name, head string, p *model.Package, groups Groups) error {
	t, err := template.ParseFS(templates.RBAC, "rbac/"+name)
	if err != nil {
		return err
	}
	return t.Execute(w, map[string]any{
		"Header":  head,
		"Package": p.Name,
		"Name":    strings.ToLower(p.Name) + "-recorder",
		"Groups":  slices.Clone(apiGroups[groups]),
	})
}
