package plain

import "bytes"

// WithEndsOf returns text with the line ends of a file, because Git can check out files with CRLF.
func WithEndsOf(text, file []byte) []byte {
	if lines := bytes.Count(file, []byte("\n")); lines > 0 && lines == bytes.Count(file, []byte("\r\n")) {
		return WithEnds(text, "\r\n")
	}
	return text
}

// WithEnds returns text with the given line ends.
func WithEnds(text []byte, end string) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(text, []byte("\n"), []byte(end))
}
