package docs

import (
	"fmt"
	"net/url"
	"strings"
)

// identifiers are the ids that a page has given away.
type identifiers map[string]bool

// unique gives the id, or, where two catalogs have the same package and event, one like it.
func (ids identifiers) unique(id string) string {
	name := id
	for n := 2; ids[name]; n++ {
		name = fmt.Sprintf("%s~~%d", id, n)
	}
	ids[name] = true
	return name
}

// slug makes text fit for the fragment of an address, in which nothing need be escaped. Different text has different
// slugs.
func slug(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "~%02x", c)
		}
	}
	return b.String()
}

// webAddress is an address that is safe to follow: empty unless it is http or https.
func webAddress(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}
