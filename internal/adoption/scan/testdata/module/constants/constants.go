// Package constants declares reasons for other packages.
package constants

// Reason is a reason of its own type.
type Reason string

// String gives the text.
func (r Reason) String() string { return string(r) }

const (
	Created        = "Created"
	Failed         = "Failed"
	Typed   Reason = "TypedReason"
	Other   Reason = "OtherReason"
)

// Table has a reason for each phase.
var Table = map[string]string{"pending": "Pending", "running": "Running"}

// Default is never written.
var Default = "DefaultReason"

// Changing is written.
var Changing = "Changing"

// Change writes.
func Change(s string) { Changing = s }
