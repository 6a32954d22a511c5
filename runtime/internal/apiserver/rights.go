package apiserver

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// isForbidden reports whether an authorizer has refused. The status has no field for that, but the
// words are the same for every authorizer (apiserver
// pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage).
func isForbidden(p *reply) bool {
	return p.code == http.StatusForbidden && !p.raw && p.missing() != nil
}

// parseUser splits `User "u" cannot verb …`.
func parseUser(said string) (user, rest string, ok bool) {
	said, ok = strings.CutPrefix(said, "User ")
	if !ok {
		return "", "", false
	}
	quoted, err := strconv.QuotedPrefix(said)
	if err != nil {
		return "", "", false
	}
	user, _ = strconv.Unquote(quoted)
	rest, ok = strings.CutPrefix(said[len(quoted):], " cannot ")
	return user, rest, ok
}

// missing reads the missing right from the text; nil if the text is not about one. The request
// fills in what the text does not name.
func (p *reply) missing() *sink.Right {
	_, said, found := strings.Cut(p.text, " is forbidden: ")
	if !found {
		said = strings.TrimPrefix(p.text, "forbidden: ")
	}
	user, rest, ok := parseUser(said)
	if !ok {
		return nil
	}
	r := &sink.Right{User: user, Group: p.Group, Namespace: p.Namespace}
	r.Verb, rest, _ = strings.Cut(rest, " ")
	r.Resource = quotedAfter(rest, "resource ")
	if strings.Contains(rest, ` in API group "`) {
		r.Group = quotedAfter(rest, ` in API group `)
	}
	r.Namespace = cmp.Or(quotedAfter(rest, ` in the namespace `), p.Namespace)
	return r
}

// quotedAfter returns the first quoted text behind a mark; empty if there is none.
func quotedAfter(text, mark string) string {
	_, text, found := strings.Cut(text, mark)
	if !found {
		return ""
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return ""
	}
	s, _ := strconv.Unquote(quoted)
	return s
}

// forbiddenError names the missing rule, or the rules of which one is missing.
type forbiddenError struct {
	text   string
	causes []error
}

func (e *forbiddenError) Error() string   { return e.text }
func (e *forbiddenError) Unwrap() []error { return e.causes }

func forbiddenBy(r *sink.Right, cause error) error {
	return &forbiddenError{
		text:   refusal(r) + "add this rule: " + roleRule(r),
		causes: []error{cause},
	}
}

// bothForbidden returns the error if both API groups refuse.
func bothForbidden(first, second *sink.Answer) error {
	return &forbiddenError{
		text:   refusal(first.Missing) + "add one of these rules: " + roleRule(first.Missing) + "; or " + roleRule(second.Missing),
		causes: []error{first.Err, second.Err},
	}
}

// refusal says who may not write where. The server chooses the user's name, and its length.
func refusal(r *sink.Right) string {
	who := ""
	if r.User != "" {
		who = fmt.Sprintf("user %q has ", eventrt.Clean(r.User, maxText/4))
	}
	return fmt.Sprintf("%sno right to write events in namespace %q; ", who, r.Namespace)
}

const resourceEvents = "events"

// roleRule returns the entry of a Role or ClusterRole that grants a right.
func roleRule(r *sink.Right) string {
	return fmt.Sprintf(`apiGroups: [%q], resources: [%q], verbs: ["%s"]`, r.Group, r.Resource, strings.Join(RoleVerbs(r), `", "`))
}

// RoleVerbs are the verbs of that entry. A program that creates events must be able to patch them,
// too.
func RoleVerbs(r *sink.Right) []string {
	if r.Resource != resourceEvents {
		return []string{r.Verb}
	}
	return []string{"create", "patch"}
}
