// Package program finds out which API groups programs write events to, by how they make their
// recorders.
//
// A program is a main package. The package finds the code that can run by reference, from the main
// function and the imports' initialization. If reachable code names a function, the function can
// run. If it names a type, the type's methods that an interface also has can run. This finds more
// code than runs, and misses only code reached by reflection or linkname. The packages of
// client-go, controller-runtime and event-gen's run time are not read, because their constructors
// are known.
package program
