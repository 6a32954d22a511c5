package correlator

import "strconv"

// parseVersion reads a resource version, which is a decimal integer (apimachinery pkg/util/resourceversion); 0 for
// anything else, which means that there is none.
func parseVersion(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return v
}

func formatVersion(v uint64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatUint(v, 10)
}
