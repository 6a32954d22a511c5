// Package fields moves the fields, parameters, results and variables that hold recorders of
// client-go to generated recorders.
//
// It reads the packages as the first stage of a migration has left them, in which calls go through
// a generated FromEvents. A place that holds a recorder (a field, parameter, result or variable)
// can move if only such calls, comparisons with nil, and other moving places read the recorder.
// Values stored in the place are converted there: the recorder of a manager or a broadcaster, nil,
// a fake of a test, or the recorder of a place that stays. Places that must have one type, such as
// the names of one declaration, move together or not at all.
//
// The order is: read (nodes, uses and flows of all packages), decide (a use that holds a place also
// holds the places that flow into it), write (edits).
package fields
