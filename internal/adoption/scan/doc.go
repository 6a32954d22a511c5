// Package scan reads Go packages and finds the Kubernetes events that they record.
//
// Read reads packages, and Loaded.Program adds the dependencies that import a recorder. Read reads
// packages that do not compile as far as possible, and reports them. Scan then finds the sites, in
// three steps:
//
//  1. Calls of a recorder's methods, by typed syntax. A method counts by its name and its parameter
//     types. Scan thus recognizes a program's own interfaces, embedded recorders, aliases and fakes
//     like client-go's interfaces. A method whose parameter names or body show other meanings, such
//     as Event(object, type, action, reason), is a wrapper instead.
//  2. Values: the possible reasons, types, actions and texts of a call. Scan looks through
//     constants, conversions, String methods of constants, concatenations, fmt.Sprintf, local
//     variables (by the definitions that reach the call), results of functions, package variables
//     and fields. It lists each undecided value with position and cause, and guesses nothing.
//  3. Wrappers: if the reason depends on a parameter of the enclosing function, or on a field of
//     a parameter or of the receiver, the places that fix the reason are sites of their own: the
//     wrapper's calls, and the literals of the struct that carries the reason.
//
// Scan reads values from syntax and not from SSA form: a catalog and a rewritten call need the
// expressions, and packages that do not compile have no SSA form. It follows local variables
// through the control-flow graph of their function.
//
// Names identify types and functions (import path and name): a dependency read as source is
// type-checked apart from the packages that import it.
package scan
