// Package scan reads Go packages and finds the Kubernetes events that they record.
//
// Read reads packages, and Loaded.Program adds the dependencies that import a recorder. Packages
// that do not compile are read as far as they can be, and reported. Scan then finds the sites, in
// three steps:
//
//  1. Calls of a recorder's methods, by typed syntax. A method counts by its name and its parameter
//     types, so that a program's own interfaces, embedded recorders, aliases and fakes are
//     recognized as client-go's interfaces are. A method whose parameter names or body show other
//     meanings, such as Event(object, type, action, reason), is a forwarder instead.
//  2. Values: the reason, type, action and text that a call can have. Scan looks through constants,
//     conversions, String methods of constants, concatenations, fmt.Sprintf, local variables (by
//     the definitions that reach the call), results of functions, package variables and fields. It
//     lists what it can't decide with position and cause, and guesses nothing.
//  3. Forwarders: if the reason depends on a parameter of the enclosing function, or on a field of
//     a parameter or of the receiver, the places that fix the reason are sites of their own: the
//     forwarder's calls, and the literals of the struct that carries the reason.
//
// Scan reads values from syntax and not from SSA form, because a catalog and a rewritten call are
// made from the expressions, and packages that do not compile have no SSA form. It follows local
// variables through the control-flow graph of their function.
//
// Names identify types and functions (import path and name), because a dependency that is read as
// source is type-checked apart from the packages that import it.
package scan
