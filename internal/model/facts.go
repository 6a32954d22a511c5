package model

import (
	"context"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model/wellknown"
)

// typeFacts is what the model must know of a Go type. It is a plain value that depends on nothing but the sources of the
// type's module and what they import, so that facts can be kept (see cache).
type typeFacts struct {
	// Problem says why nothing is known; then all else but Fleeting is zero.
	Problem string
	// Fleeting: the problem may go away by itself, as one of the network does.
	Fleeting bool
	// Unasked: the go command could not be asked, which a finding about no type in particular says.
	Unasked bool
	// Misuse says why the type is there and can't be used as it is written: generic without type arguments, say.
	Misuse string
	// Basic is the underlying basic type: "string", "int32"; empty for others.
	Basic string
	// Stringer says how a value's String method is reached.
	Stringer stringerForm
	// Missing are the methods of a runtime.Object with metadata that a pointer to the type lacks.
	Missing []string
	// Group and Version come from markers (+groupName, +versionName) or the package; HasGroup: there was a marker.
	Group    string
	HasGroup bool
	Version  string
	Cluster  bool // +kubebuilder:resource:scope=Cluster, +genclient:nonNamespaced
	// Constants are those of the type, if it is a string type.
	Constants []Constant
	// Main: the type's package is a command, which nothing can import.
	Main bool
	// Unsure: packages did not compile, for another reason than that generated ones are missing.
	Unsure bool
	// Cycle is the import path from the type's package to the one generated into; empty if there is none.
	Cycle []string
}

// stringerForm says how a fmt.Stringer is reached.
type stringerForm int

const (
	noStringer stringerForm = iota
	valueStringer
	pointerStringer
	interfaceStringer
)

// problem says why a type can't be used, behind its name; empty if it can.
func (f *typeFacts) problem() string {
	switch {
	case f.Problem != "":
		return "was not found: " + f.Problem
	case f.Misuse != "":
		return "can't be used: " + f.Misuse
	case len(f.Cycle) > 0:
		return "can't be used here, because its package imports the generated one: " + strings.Join(f.Cycle, " → ")
	}
	return ""
}

// want is a type to look at, for a catalog that generates into the package of import path output.
type want struct {
	GoType // neither a pointer nor a slice
	output string
}

// facts are what is known of the types that were looked at.
type facts map[want]typeFacts

// wanted is the type to look at for a type that a package uses.
func (p *Package) wanted(t GoType) want {
	t.Pointer, t.Slice = false, false
	return want{t, p.Path}
}

// resolver finds facts of types of one module and its dependencies, all of them at once. What can't be found is a Problem in
// the facts; a finding is only what concerns no type in particular.
type resolver interface {
	resolve(ctx context.Context, wants []want) (facts, diag.Findings)
}

// lookUp looks at the types of which the catalogs must know more: for all catalogs of a module in one load. The facts are by root.
func lookUp(ctx context.Context, targets []*target, opts Options) (map[string]facts, diag.Findings) {
	found := map[string]facts{}
	if opts.Resolve == ResolveNever {
		return found, nil
	}
	wants := map[string][]want{}
	outputs := map[string]string{}
	for _, t := range targets {
		wants[t.root] = append(wants[t.root], t.wants(opts.Resolve)...)
		outputs[t.pkg.Output] = t.pkg.Name
	}
	var findings diag.Findings
	for _, root := range sortedKeys(wants) {
		load := cached(opts.Cache, root, opts.Resolve == ResolveAlways, &loader{dir: root, outputs: outputs})
		known, problems := load.resolve(ctx, wants[root])
		found[root] = known
		findings = append(findings, problems...)
	}
	return found, findings
}

// wants are the types whose facts the catalog needs. A type that can't be resolved is reported later.
func (t *target) wants(mode ResolveMode) []want {
	var out []want
	for _, d := range t.pkg.Catalog.Objects {
		if !d.Type.Set() || d.Type.Value == anyType || mode != ResolveAlways && d.APIVersion.Set() && d.Scope.Set() {
			continue
		}
		if goType, wrong := t.types.resolve(d.Type); len(wrong) == 0 {
			if _, known := wellknown.LookupType(goType.Path, goType.Name); !known {
				out = append(out, t.pkg.wanted(goType))
			}
		}
	}
	for _, s := range paramTypesOf(t.pkg.Catalog) {
		if !s.Set() || !isNamedType(s.Value) {
			continue
		}
		if goType, wrong := t.types.resolve(s); len(wrong) == 0 && !wellknown.IsString(goType.Path, goType.Name) {
			out = append(out, t.pkg.wanted(goType))
		}
	}
	return slices.DeleteFunc(out, func(w want) bool { return w.Path == "" })
}
