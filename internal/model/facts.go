package model

import (
	"context"
	"slices"

	"github.com/event-gen/event-gen/internal/diag"
)

// typeName names a Go type by the import path of its package.
type typeName struct {
	path string
	name string
	args string // of an instance, as in GoType
}

// String is the name as Go's own messages write it.
func (n typeName) String() string { return GoType{Path: n.path, Name: n.name, Args: n.args}.encode() }

// paths are the packages that the type is made of.
func (n typeName) paths() []string {
	return slices.DeleteFunc(GoType{Path: n.path, Name: n.name, Args: n.args}.paths(), func(p string) bool { return p == "" })
}

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

// want is a type to look at, for a catalog that generates into the package of import path output.
type want struct {
	typeName
	output string
}

// resolver finds facts of types of one module and its dependencies, all of them at once. What can't be found is a Problem in
// the facts; a finding is only what concerns no type in particular.
type resolver interface {
	resolve(ctx context.Context, wants []want) (map[want]typeFacts, diag.Findings)
}
