// Package problems has the values of eventrt.Problem, which only the run time tells apart.
package problems

// The problems an event can have. Zero is eventrt.NoProblem.
const (
	NoDefinition = iota + 1
	NilRegarding
	NilRelated
	UnknownKind
	OtherKind
	KindNotAllowed
	TooManyArgs
	NoReason
	BadReportingController
	BadAnnotation
	BadNamespace
	BadType
	Ended
	TooLarge
	NoNamespace
	UnknownValue
)
