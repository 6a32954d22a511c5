package scan

import (
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
)

// libraries are the modules whose recorders store their arguments unchanged: client-go,
// controller-runtime and the drop-in. Scan does not read their methods.
var libraries = []string{"k8s.io/client-go", facts.ControllerRuntime, facts.RunTime}

// isLibrary reports whether a package belongs to one of the libraries.
func isLibrary(p *types.Package) bool {
	if p == nil {
		return false
	}
	path := RealPath(p.Path())
	return slices.ContainsFunc(libraries, func(l string) bool { return path == l || strings.HasPrefix(path, l+"/") })
}

// isOwn reports whether a recorder's method is code of the program or of a dependency: a declared
// method outside of the libraries.
func isOwn(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && !types.IsInterface(recv.Type()) && !isLibrary(fn.Pkg())
}
