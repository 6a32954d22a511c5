// Package scan reads Go packages and finds what they record as Kubernetes events.
//
// Load reads packages: their syntax and types, and those of dependencies that import a recorder. Packages that do not compile
// are read as far as they can be, and reported. Scan then finds the sites, in three steps:
//
//  1. Calls of a recorder's methods, by typed syntax. A method counts by its name and its parameter types, so that interfaces
//     of the program's own, embedded recorders, aliases and fakes are seen as client-go's interfaces are.
//  2. Values: what the reason, the type, the action and the text of a call can be. Constants, conversions, String methods of
//     constants, concatenations, fmt.Sprintf, local variables (by the definitions that reach the call), results of functions,
//     package variables and fields are looked through. What remains is listed with its position and cause; nothing is guessed.
//  3. Forwarders: where the reason depends on a parameter of the enclosing function, or on a field of a parameter or of the
//     receiver, the places that fix the reason are sites of their own: the forwarder's calls, and the literals of the struct
//     that carries the reason.
//
// Values are read from syntax and not from SSA form: the expressions are what a catalog and a rewritten call are made of, and
// packages that do not compile have no SSA form. Local variables are followed through the control-flow graph of their function.
//
// Names of types and functions identify them (import path and name), because a dependency that is read as source is
// type-checked apart from the packages that import it.
package scan
