// Package program finds out which API groups programs write events to, by how they make their
// recorders.
//
// A program is a main package. The package finds the code that can run by reference, from the main
// function and the imports' initialization: a function that reachable code names can run, and so
// can those methods of a named type that an interface also has. This finds more than runs, and
// misses only code that is reached by reflection or linkname. The packages of client-go,
// controller-runtime and event-gen's run time are not read, because their constructors are known.
package program
