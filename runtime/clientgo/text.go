package clientgo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// maxMessageBytes bounds messages of the core group, for which the API server has no bound.
	maxMessageBytes = 64 << 10
	// maxReasonBytes bounds reasons of the core group, for which the API server has none either,
	// and maxSourceBytes each part of a source. A broadcaster keeps up to maxDefinitions of them.
	maxReasonBytes = 1 << 10
	maxSourceBytes = 1 << 10
	ellipsis       = "…"
)

// format is what client-go's recorders make of a format and its arguments, but that text which is
// no format is left as it is: without arguments, a percent sign that is not doubled can only be
// meant.
func format(text string, args []any) string {
	if len(args) == 0 && hasLonePercent(text) {
		return text
	}
	return fmt.Sprintf(text, args...)
}

func hasLonePercent(text string) bool { return strings.Count(text, "%") != 2*strings.Count(text, "%%") }

// fit makes text valid UTF-8 of at most limit bytes. What is cut off shows as an ellipsis.
func fit(text string, limit int) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	if len(text) <= limit {
		return text
	}
	end := limit - len(ellipsis)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// fitApart is fit for texts that distinguish events: a hash stands for the part that is cut off.
func fitApart(text string, limit int) string {
	if len(text) <= limit {
		return fit(text, limit)
	}
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:6])
	return fit(text, limit-len(hash)) + hash
}
