// Package plain takes from text what does more than show: the name of a file, the text of a catalog
// or of an event may be a stranger's. It is used where text leaves for a format.
package plain

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden reports whether a character controls a terminal, breaks a line, changes the direction of
// writing or is invisible. Joiners, which some languages and emoji need, are not hidden.
func Hidden(r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return false
	case utf8.RuneError, '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// Line returns text that is safe on one line. It shows hidden characters as U+FFFD.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case Hidden(r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// Text is like Line, for several lines: line ends and tabs stay.
func Text(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		lines[i] = strings.Map(func(r rune) rune {
			if r != '\t' && Hidden(r) {
				return utf8.RuneError
			}
			return r
		}, body) + line[len(body):]
	}
	return strings.Join(lines, "")
}

// Output is Text in which no line is a command to a CI service that reads output, such as
// ::stop-commands:: or ##[group] to GitHub's.
func Output(text string) string {
	lines := strings.SplitAfter(strings.ReplaceAll(Text(text), "##[", "##\uFFFD"), "\n")
	for i, line := range lines {
		if body := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(body, "::") {
			lines[i] = line[:len(line)-len(body)] + ":\uFFFD" + body[len("::"):]
		}
	}
	return strings.Join(lines, "")
}

// Encoder returns an encoder of JSON that escapes hidden characters.
func Encoder(w io.Writer) *json.Encoder { return json.NewEncoder(escaping{w}) }

// JSON returns JSON with hidden characters escaped.
func JSON(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r == '\n' || r == utf8.RuneError || !Hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			escape(&b, high)
			escape(&b, low)
		default:
			escape(&b, r)
		}
	}
	return b.Bytes()
}

func escape(b *bytes.Buffer, r rune) {
	const digits = "0123456789abcdef"
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(digits[r>>shift&0xf])
	}
}

// escaping writes whole JSON values, as an encoder gives them.
type escaping struct{ to io.Writer }

func (e escaping) Write(text []byte) (int, error) {
	if _, err := e.to.Write(JSON(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}
