package apiserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// redacted is an error of the API whose text holds nothing of the event. It wraps the whole answer.
type redacted struct {
	text  string
	cause error
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.cause }

// explain returns the error of an answer: code, reason, its class, and for each cause the field and
// the value expected there. The server quotes values of the event in between, which must not be
// logged.
func explain(p *reply, a *sink.Answer, because string, err error) error {
	var b strings.Builder
	answerer := "the API server"
	if fromPath(p) {
		answerer, because = "something between here and the API server", ""
	}
	fmt.Fprintf(&b, "%s answered %d", answerer, p.code)
	if p.reason != "" {
		fmt.Fprintf(&b, " %s", p.reason)
	}
	if name := named(p.text); name != "" {
		fmt.Fprintf(&b, ": %s", name)
	} else if because != "" {
		fmt.Fprintf(&b, ": %s", because)
	}
	appendCauses(&b, p.status.Details.Causes)
	var told error = &redacted{text: eventrt.Clean(b.String(), maxText), cause: err}
	switch {
	case a.Outcome == sink.Forbidden:
		return forbiddenBy(a.Missing, told)
	case IsNotServed(a):
		return fmt.Errorf("the server does not serve events of %s: %w", groupText(p.Group), told)
	}
	return told
}

// groupText is an API group as people say it.
func groupText(group string) string {
	if group == corev1.GroupName {
		return "core/v1"
	}
	return group + "/v1"
}

const maxCauses = 8

// maxText bounds an error's text, in bytes. Like its characters, its length is the choice of
// whoever answers.
const maxText = 1024

// appendCauses leaves out causes that name no field: they are made of the answer of something other
// than an API server.
func appendCauses(b *strings.Builder, causes []metav1.StatusCause) {
	separator := ": "
	for i, c := range causes {
		if i == maxCauses {
			fmt.Fprintf(b, "; and %d more", len(causes)-i)
			return
		}
		if c.Field != "" {
			fmt.Fprintf(b, "%s%s: %s", separator, c.Field, withoutValue(c))
			separator = "; "
		}
	}
}

// causeKinds are how causes begin, and whether the value of the field comes next: `Invalid value:
// "…": must be …` (apimachinery pkg/util/validation/field/errors.go).
var causeKinds = map[string]bool{
	"Invalid value": true, "Unsupported value": true, "Not found": true, "Duplicate value": true, "Too many": true,
	"Required value": false, "Forbidden": false, "Too long": false,
}

// withoutValue cuts the value out of a cause. Where its end can't be told for certain, only the
// kind of the cause is left.
func withoutValue(c metav1.StatusCause) string {
	kind, rest, _ := strings.Cut(c.Message, ": ")
	hasValue, known := causeKinds[kind]
	switch {
	case !known:
		return string(c.Type)
	case !hasValue:
		return c.Message
	}
	end := 0
	if value, err := strconv.QuotedPrefix(rest); err == nil {
		end = len(value)
	} else {
		values := json.NewDecoder(strings.NewReader(rest))
		if err := values.Decode(new(any)); err != nil {
			return kind
		}
		end = int(values.InputOffset())
	}
	if detail, ok := strings.CutPrefix(rest[end:], ": "); ok {
		return kind + ": " + detail
	}
	return kind
}

// namings are the parts of messages that name a webhook or a policy: a quoted name between two
// texts.
var namings = [...]struct{ before, quote, after string }{
	{`admission webhook `, `"`, ` denied the request`},
	{`ValidatingAdmissionPolicy `, `'`, ` `},
	{`failed calling webhook `, `"`, `: `},
}

// named returns the part of a message that names its webhook or policy; empty if the message names
// none.
func named(message string) string {
	for _, n := range namings {
		head, rest, found := strings.Cut(message, n.before+n.quote)
		name, rest, closed := strings.Cut(rest, n.quote)
		if found && closed && isHead(head) && strings.HasPrefix(rest, n.after) && !strings.ContainsAny(name, " \n") {
			return n.before + n.quote + name + n.quote + strings.TrimRight(n.after, ": ")
		}
	}
	return ""
}

// isHead reports what the server puts before such a text: nothing, that the error is internal, or
// which event is forbidden or invalid. Values of the event come after more than one colon.
func isHead(s string) bool {
	return s == "" || s == "Internal error occurred: " ||
		strings.Count(s, ": ") == 1 && (strings.HasSuffix(s, " is forbidden: ") || strings.HasSuffix(s, " is invalid: "))
}
