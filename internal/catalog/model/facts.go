package model

import (
	"context"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model/wellknown"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// typeFacts holds the facts about a Go type that the model needs.
type typeFacts struct {
	// Problem is the reason why nothing is known; else empty.
	Problem string
	// NoPackage is true if the problem is that the type's package was not found.
	NoPackage bool
	// Unasked is true if the go command could not run, or could not resolve an import on which the
	// type's methods depend. Another finding, which is not about a type, reports that.
	Unasked bool
	// Misuse is the reason why an existing type can't be used as it is written, such as missing
	// type arguments; else empty.
	Misuse string
	// Basic is the underlying basic type: "string", "int32"; empty for others.
	Basic string
	// Stringer tells how a value's String method is called.
	Stringer stringerForm
	// Missing are the methods of a runtime.Object with metadata that a pointer to the type lacks.
	Missing []string
	// Group and Version come from markers (+groupName, +versionName) or from the package. HasGroup
	// is true if there is a marker.
	Group    string
	HasGroup bool
	Version  string
	Cluster  bool // +kubebuilder:resource:scope=Cluster, +genclient:nonNamespaced
	// Constants are the type's constants, if it is a string type.
	Constants []Constant
	// Conditions is the reason why the conditions of the type's status can't be read; empty if they
	// can.
	Conditions string
	// Main is true if the type's package is a command, which can't be imported.
	Main bool
	// Cycle is the chain of imports from the type's package to the generated one; empty if there is
	// none.
	Cycle []string
}

// stringerForm tells how the String method of a type's values is called.
type stringerForm int

const (
	noStringer stringerForm = iota
	valueStringer
	pointerStringer
	interfaceStringer
)

// problem returns the end of a sentence that begins with the type's name; empty if the type can be
// used.
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

// want is a type to look up, for a catalog that generates into the package with import path output.
type want struct {
	GoType // neither a pointer nor a slice
	output string
}

// facts maps the types that were looked up to their facts.
type facts map[want]typeFacts

// wanted returns the type to look up for a type that a package uses.
func (p *Package) wanted(t GoType) want {
	t.Pointer, t.Slice = false, false
	return want{t, p.Path}
}

// lookUp loads the types that the catalogs do not describe completely, for all catalogs of a module
// at once. It returns the facts by the module's root.
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
		load := &loader{dir: root, outputs: outputs}
		known, problems := load.resolve(ctx, wants[root])
		found[root] = known
		findings = append(findings, problems...)
	}
	return found, findings
}

// wants returns the types whose facts the catalog needs. A type that can't be resolved is reported
// later.
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
	out = append(out, t.conditionWants()...)
	for _, s := range paramTypesOf(t.pkg.Catalog) {
		if s.Set() && isNamedType(s.Value) {
			if goType, wrong := t.types.resolve(s); len(wrong) == 0 && !wellknown.IsString(goType.Path, goType.Name) {
				out = append(out, t.pkg.wanted(goType))
			}
		}
	}
	return slices.DeleteFunc(out, func(w want) bool { return w.Path == "" })
}
