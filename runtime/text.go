package eventrt

import "unicode/utf8"

// Bounds of the API server, in bytes (kubernetes pkg/apis/core/validation/events.go).
const (
	// MaxNoteBytes bounds the note of an event.
	MaxNoteBytes = 1024
	// MaxReasonBytes bounds reason, action and reporting instance.
	MaxReasonBytes = 128
)

// AggregatePrefix begins the note of an aggregate, as in client-go
// (tools/record/events_cache.go). Every message leaves room for it.
const AggregatePrefix = "(combined from similar events): "

const ellipsis = "…"

// Clean makes text fit for an event: valid UTF-8 without control characters, at most limit bytes.
// Invalid UTF-8 becomes U+FFFD before the text is measured. Clean cuts at the boundary of a rune
// and appends "…". Text that is fit already is returned as it is, without an allocation. A limit of
// zero or less means no limit.
func Clean(text string, limit int) string {
	if limit <= 0 {
		limit = len(text)*len(string(utf8.RuneError)) + 1
	}
	if len(text) <= limit && isClean(text) {
		return text
	}
	return string(appendClean(make([]byte, 0, min(limit, 3*len(text))), text, limit))
}

func isClean(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f {
			return isCleanUTF8(text[i:])
		}
	}
	return true
}

func isCleanUTF8(text string) bool {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if isControl(r) || (r == utf8.RuneError && size == 1) {
			return false
		}
		i += size
	}
	return true
}

// isControl covers the C0 and C1 controls and DEL, and the two separators that terminals and log
// readers break lines at.
func isControl(r rune) bool {
	return r < ' ' || (r >= 0x7f && r < 0xa0) || r == '\u2028' || r == '\u2029'
}

// appendClean appends at most limit bytes of cleaned text, the last of them "…" when something was
// left out.
func appendClean(b []byte, text string, limit int) []byte {
	start := len(b)
	room := start + limit
	mark := start // where "…" would go, should the rest not fit
	for _, r := range text {
		if isControl(r) {
			r = ' '
		}
		if len(b)+utf8.RuneLen(r) > room {
			return append(b[:mark], ellipsis[:min(len(ellipsis), whole(room-mark))]...)
		}
		b = utf8.AppendRune(b, r)
		if len(b)+len(ellipsis) <= room {
			mark = len(b)
		}
	}
	return b
}

// whole returns how many bytes of the ellipsis fit: all or none.
func whole(room int) int {
	if room < len(ellipsis) {
		return 0
	}
	return len(ellipsis)
}
