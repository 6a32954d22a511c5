// Package proof decides, for one raw call of a recorder and one entry of a catalog, whether the
// typed call of the entry stores the same event, and finds the typed call's arguments.
//
// The package does no I/O and changes nothing. Its input is plain data: Site holds the call,
// *model.Event the entry. Its output, Verdict, lists every way in which the stored events can
// differ, each with an id. It also maps arguments of the raw call to arguments of the typed one.
//
// Both calls are compared as they record through FromEvents or FromRecord of the generated package
// (eventrt.FromEvents, eventrt.FromRecord): on the same recorder, with the same object.
package proof

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// API is the family of recorders that a raw call belongs to.
type API uint8

// The families of recorders.
const (
	// Record is k8s.io/client-go/tools/record; the typed call goes through FromRecord.
	Record API = iota
	// Events is k8s.io/client-go/tools/events; the typed call goes through FromEvents.
	Events
)

// RawCall is one raw call, as plain data. If a reason, a type or an action can have several values,
// Identities lists the combinations that occur together.
type RawCall struct {
	API API
	// Method is Event, Eventf or AnnotatedEventf.
	Method string
	// OwnRecorder is the reason why a recorder type of the program may store something else if
	// Eventf gets the finished text; empty if it stores the same.
	OwnRecorder string
	// OtherMethod reports that the recorder's static type is none of client-go's and was not read:
	// its methods may do different things.
	OtherMethod bool
	// Identities are the combinations of reason, type and action that the call can record; at least
	// one.
	Identities []Identity
	// Empty names the fields (reason, type, action) that can also be empty. Identities leave out
	// the empty value.
	Empty []string
	// Reason, Type and Action are the arguments as written. Reason or Type selects among an entry's
	// variants if the site has several identities. Action is nil in the record API.
	Reason, Type, Action ast.Expr
	// Regarding is the object; Related has no Expr in the record API.
	Regarding, Related Object
	// Late reports that the raw call is deferred, and that the objects may be written before it
	// runs. The raw call has read their parts at once; the typed call would read them later.
	Late bool
	// Annotations is the argument of AnnotatedEventf; else nil.
	Annotations ast.Expr
	// Text has the pieces of the message, literal text and arguments in turn, as far as they can be
	// seen. A message whose text can't be seen is one part with an argument.
	Text []Part
	// Whole is an argument for the whole text, for entries whose message is one placeholder. Prove
	// uses it if Text can't be matched. The zero Part: there is none.
	Whole Part
	// Format is the constant format of Whole's arguments. It is empty if the format is not known to
	// be constant.
	Format string
	// Known shows the known parts of the text in the form of a format, with {A|B} for alternatives.
	// It is for people only, and may be empty.
	Known string
	// Info has the types of the package that contains the call.
	Info *types.Info
}

// Identity holds the constant fields that a call stores beside its text.
type Identity struct{ Reason, Type, Action string }

// Object is the object of a raw call.
type Object struct {
	// Expr is the argument as written; nil if the method has no such parameter.
	Expr ast.Expr
	// Type is the object's static type; nil if it is not known.
	Type types.Type
	// Nil reports whether the argument is the constant nil.
	Nil bool
}

// Part is a piece of a message: literal text, or an argument with the verb that renders it.
type Part struct {
	// Literal is text; Expr is nil then, and nothing else is set.
	Literal string
	// Expr is the argument, in the call or, if Moved, elsewhere.
	Expr ast.Expr
	// Type is the static type of Expr, before its conversion to any; nil if it is not known.
	Type types.Type
	// Verb is the directive as written, without an index in brackets: %s, %-5d, %.2f. Concatenated
	// text, and text that is the whole message, has the verb %s, or %v if it is no string.
	Verb string
	// Method is Error or String if the text is a call of that method of Expr, without arguments;
	// else empty.
	Method string
	// Formats reports that the text is used as a format without arguments: Eventf(…, err.Error()).
	// A % in the text then starts a verb.
	Formats bool
	// Args are the arguments of an unknown format; Expr is then the format. Spread reports that the
	// last is followed by "...".
	Args   []ast.Expr
	Spread bool
	// Moved reports that Expr stands elsewhere in the function, such as in a local that holds
	// fmt.Sprintf(…), and its variables may be written between there and the call. The typed call
	// can't use such an argument.
	Moved bool
}

// Outcome is the verdict in one word.
type Outcome uint8

// The outcomes, from best to worst.
const (
	// Equal: the typed call stores the same event, byte for byte, whatever the arguments are.
	Equal Outcome = iota
	// EqualExcept: the typed call stores the same event except for causes that are accepted by
	// default.
	EqualExcept
	// Different: the typed call stores the same event except for causes that must be accepted by
	// their ids.
	Different
	// NoCall: the entry has no typed call for the site. No id helps.
	NoCall
)

var outcomeTexts = [...]string{Equal: "equal", EqualExcept: "equal except", Different: "different", NoCall: "no call"}

// String returns the outcome in the words of migrate's table.
func (o Outcome) String() string { return outcomeTexts[o] }

// Cause is one way in which the stored events can differ.
type Cause struct {
	// ID is the name by which a cause is accepted.
	ID ID
	// Param is the catalog's name of the param, or the placeholder of an object (regarding.name);
	// empty if the cause concerns the whole event.
	Param string
	// Text describes in one sentence what differs, and when.
	Text string
}

// Verdict is the result of Prove.
type Verdict struct {
	// Causes are sorted by the order in which the ids are declared, then by the order of params.
	Causes []Cause
	// Event and Method are the entry and its method for the site's object; Method is nil if no
	// method takes the object.
	Event  *model.Event
	Method *model.Method
	// Related is the typed call's related object; its zero value if the entry has none.
	Related Argument
	// Annotations is the argument for WithAnnotations, which goes before the typed call; nil if
	// there is none to pass.
	Annotations ast.Expr
	// Args has an argument for each of Event.Params, in their order. It is empty if the outcome is
	// NoCall.
	Args []Argument
}

// How is the form of an argument of the typed call.
type How uint8

// The forms of arguments. They can be rendered one to one as Go source.
const (
	// None: there is no argument.
	None How = iota
	// Pass: Expr unchanged.
	Pass
	// Convert: a conversion of Expr to Type.
	Convert
	// Address: &Expr. Deref: *Expr.
	Address
	Deref
	// Call: Expr.Method().
	Call
	// Sprintf: fmt.Sprintf(Format, Args...). If Format is empty, the format is Expr. With Spread,
	// the last argument is followed by "...".
	Sprintf
	// Constant: the text Text, as a string literal, which suits string types of every name; or, for
	// an enum, the generated constant Name, which has this text.
	Constant
	// Nil: nil.
	Nil
)

// Argument is an argument of the typed call.
type Argument struct {
	How  How
	Expr ast.Expr
	// Type is the Go type that Convert converts to.
	Type model.GoType
	// Method is Error or String, for Call.
	Method string
	Format string
	Args   []ast.Expr
	Spread bool
	Text   string
	// Name is the constant of an enum, for Constant.
	Name string
	// Converted is set for Call and Sprintf if their text has to be converted to Type, a named
	// string type.
	Converted bool
}
