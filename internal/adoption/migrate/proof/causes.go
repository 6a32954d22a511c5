package proof

import (
	"cmp"
	"fmt"
	"slices"
)

// ID is the name of a cause. Ids are an API: they stand in JSON, and in the flag that accepts them.
type ID string

// The causes that are accepted by default.
const (
	// Cut: text beyond the param's bound, or the message's 992 bytes, is cut.
	Cut ID = "cut"
	// Control: control characters, and the separators U+2028 and U+2029, become spaces.
	Control ID = "control"
	// UTF8: bytes that are not UTF-8 become U+FFFD.
	UTF8 ID = "utf8"
	// NilText: %s of nil is "%!s(<nil>)" in the raw call, and "<nil>" in the typed one.
	NilText ID = "nil"
	// Percent: the text was used as a format. A % in it starts a verb in the raw call, and stays a
	// % in the typed one.
	Percent ID = "percent"
	// OwnFormat: the value has a Format or an Error method that the static type does not show, and
	// fmt prefers it.
	OwnFormat ID = "own-format"
	// Panic: a method that panics is shown as "%!v(PANIC=…)" in the raw call, and as "<panic>", or
	// with another verb, in the typed one.
	Panic ID = "panic"
	// Labels: the entry sets labels, which select the event; the raw call can't.
	Labels ID = "labels"
)

// The causes that have to be accepted.
const (
	// Action: the raw call has another action than the entry, or none.
	Action ID = "action"
	// Empty: the reason, the type or the action of the raw call can also be empty.
	Empty ID = "empty"
	// Annotations: the entry adds annotations that the raw call does not have.
	Annotations ID = "annotations"
	// Zero: the typed call shows nothing for the zero value, because the param is optional or its
	// type does so; the raw call shows the zero value.
	Zero ID = "zero"
	// Redacted: the param is sensitive: the typed call shows <redacted>.
	Redacted ID = "redacted"
	// Order: arguments with calls in them are evaluated in another order, or another number of
	// times.
	Order ID = "order"
	// Extra: the raw call has more arguments than verbs, which fmt shows as "%!(EXTRA …)".
	Extra ID = "extra"
	// OtherMethod: the recorder is of a type of its own, and the typed call uses another of its
	// methods.
	OtherMethod ID = "other-method"
	// Rendering: the catalog shows the value differently, such as a time in another layout.
	Rendering ID = "rendering"
)

// The causes for which there is no typed call.
const (
	// IdentityDiffers: the entry has another reason or type.
	IdentityDiffers ID = "identity"
	// ObjectDiffers: no method of the entry takes the object.
	ObjectDiffers ID = "object"
	// RelatedDiffers: the related object is another one.
	RelatedDiffers ID = "related"
	// TextDiffers: the literal text of the message is another one.
	TextDiffers ID = "text"
	// Unfilled: the raw call has no argument for a param.
	Unfilled ID = "unfilled"
	// OwnRecorder: the recorder's type is the program's own. Its stored event depends on the format
	// or its arguments, or on the called method.
	OwnRecorder ID = "own-recorder"
	// MovedArgument: the typed call would read an argument later than the raw call, and the
	// argument may be written in between.
	MovedArgument ID = "moved"
)

var byDefault = []ID{Cut, Control, UTF8, NilText, Percent, OwnFormat, Panic, Labels}

var onRequest = []ID{Action, Empty, Annotations, Zero, Redacted, Order, Extra, OtherMethod, Rendering}

var never = []ID{IdentityDiffers, ObjectDiffers, RelatedDiffers, TextDiffers, Unfilled, OwnRecorder, MovedArgument}

// Acceptable are the ids that can be accepted on request, in their order.
func Acceptable() []ID { return slices.Clone(onRequest) }

// Outcome is the verdict in one word, with further causes accepted.
func (v *Verdict) Outcome(accepted ...ID) Outcome {
	worst := Equal
	for _, c := range v.Causes {
		worst = max(worst, c.ID.outcome(accepted))
	}
	return worst
}

func (id ID) outcome(accepted []ID) Outcome {
	switch {
	case slices.Contains(byDefault, id):
		return EqualExcept
	case !slices.Contains(onRequest, id):
		return NoCall
	case slices.Contains(accepted, id):
		return EqualExcept
	}
	return Different
}

// texts describe the differences, after the name of the param.
var texts = map[ID]string{
	Cut:       "text beyond its bound is cut",
	Control:   "control characters become spaces",
	UTF8:      "bytes that are no UTF-8 become U+FFFD",
	NilText:   "nil is shown as <nil>, and not as %!s(<nil>)",
	Percent:   "a % is itself, and not taken for a verb",
	OwnFormat: "a value whose own type has a Format or an Error method that fmt prefers is shown by its Error or String method",
	Panic:     "a method that panics is shown as <panic>, or with another verb, and not as %!v(PANIC=…)",
	Zero:      "its zero value is not shown",
	Redacted:  "it is sensitive, and shown as <redacted>",
	Rendering: "it is shown as the catalog says, and not as fmt does",
}

// textOf returns the sentence of a cause.
func textOf(id ID, param string) string {
	return fmt.Sprintf("%s: %s.", cmp.Or(param, "The text"), texts[id])
}
