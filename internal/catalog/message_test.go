package catalog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// write is the inverse of parseMessage.
func write(pieces []piece) string {
	double := strings.NewReplacer("{", "{{", "}", "}}")
	var b strings.Builder
	for _, p := range pieces {
		if p.Placeholder != "" {
			b.WriteString("{" + p.Placeholder + "}")
		} else {
			b.WriteString(double.Replace(p.Text))
		}
	}
	return b.String()
}

func TestMessageRoundTrip(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zж%]|\{\{|\}\}|\{[a-z_]+(\.[a-z]+)?\}){0,20}`).Draw(t, "message")
		pieces, problems := parseMessage(text)
		if len(problems) > 0 {
			t.Fatalf("problems: %v", problems)
		}
		if diff := cmp.Diff(text, write(pieces)); diff != "" {
			t.Fatalf("written again (-want +got):\n%s", diff)
		}
	})
}

func FuzzMessage(f *testing.F) {
	for _, seed := range []string{"", "{a}", "{{a}}", "{{{a}}}", "{", "}", "{}", "{a", "{a b}", "{a:%d}", "{regarding.name}x{b}", "é{é}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pieces, problems := parseMessage(text)
		last := -1
		for _, p := range pieces {
			if p.at <= last || p.at >= len([]rune(text)) || (p.Text == "") == (p.Placeholder == "") {
				t.Fatalf("piece %+v of %q", p, text)
			}
			last = p.at
		}
		for _, p := range problems {
			if r := []rune(text)[p.at]; r != '{' && r != '}' {
				t.Fatalf("the problem %+v of %q is at %q", p, text, r)
			}
		}
		if len(problems) == 0 && write(pieces) != strings.ToValidUTF8(text, "\uFFFD") && strings.ToValidUTF8(text, "") == text {
			t.Fatalf("%q is written again as %q", text, write(pieces))
		}
	})
}
