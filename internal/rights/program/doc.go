// Package program finds out which API groups programs write events to, by how they make their recorders.
//
// A program is a main package. What it can run is found from its main function and from what its imports do at the start, by
// reference: a function that is named anywhere in what can run can run, and so can those methods of a type that is named there which an interface has too.
// That finds more than runs, and misses nothing but what is reached by reflection or linkname. The packages of client-go,
// controller-runtime and event-gen's run time are not looked into: their constructors are known.
package program
