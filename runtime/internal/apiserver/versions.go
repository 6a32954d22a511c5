package apiserver

import "strconv"

// ParseVersion reads a resource version. One that is no decimal integer counts as unknown, which is
// 0.
func ParseVersion(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// FormatVersion is the reverse of ParseVersion; empty for 0.
func FormatVersion(v uint64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatUint(v, 10)
}
