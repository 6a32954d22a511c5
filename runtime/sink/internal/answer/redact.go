package answer

import (
	"fmt"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// redacted is an error of the API whose text holds nothing of the event. The whole answer is what it wraps.
type redacted struct {
	text  string
	cause error
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.cause }

// redact keeps code and reason of the answer, and of each cause the field and what it should be. The server quotes values
// of the event in between.
func redact(s *metav1.Status, err error) error {
	var b strings.Builder
	fmt.Fprintf(&b, "the API server answered %d", s.Code)
	if s.Reason != "" {
		fmt.Fprintf(&b, " %s", s.Reason)
	}
	if webhook := deniedBy(s.Message); webhook != "" {
		fmt.Fprintf(&b, ": %s", webhook)
	}
	if s.Details != nil {
		appendCauses(&b, s.Details.Causes)
	}
	return &redacted{text: b.String(), cause: err}
}

const maxCauses = 8

// appendCauses leaves out causes that name no field: they are made of the answer of something other than an API server.
func appendCauses(b *strings.Builder, causes []metav1.StatusCause) {
	separator := ": "
	for i, c := range causes {
		if i == maxCauses {
			fmt.Fprintf(b, "; and %d more", len(causes)-i)
			return
		}
		if c.Field != "" {
			fmt.Fprintf(b, "%s%s %s", separator, c.Field, detail(c))
			separator = "; "
		}
	}
}

// detail cuts the quoted value out of `Invalid value: "…": detail` (apimachinery pkg/util/validation/field). Where that
// can't be done for certain, only the type of the cause is left.
func detail(c metav1.StatusCause) string {
	_, rest, found := strings.Cut(c.Message, ": ")
	if !found {
		return string(c.Type)
	}
	value, err := strconv.QuotedPrefix(rest)
	if err != nil || !strings.HasPrefix(rest[len(value):], ": ") {
		return string(c.Type)
	}
	return rest[len(value)+len(": "):]
}

// deniedBy is the part of an admission webhook's denial that names the webhook; empty if it is none.
func deniedBy(message string) string {
	const start, end = `admission webhook "`, `" denied the request`
	if name, _, found := strings.Cut(message, end); found && strings.HasPrefix(name, start) {
		return name + end
	}
	return ""
}
