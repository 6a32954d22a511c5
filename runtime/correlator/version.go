package correlator

import "strconv"

// parseVersion reads a resource version, which is a decimal integer (apimachinery pkg/util/resourceversion); 0 for
// anything else, which means that there is none. Unlike strconv it makes no error where there is no number.
func parseVersion(s string) (v uint64) {
	if len(s) > maxVersionDigits {
		return 0
	}
	for _, digit := range []byte(s) {
		if digit < '0' || digit > '9' {
			return 0
		}
		v = v*10 + uint64(digit-'0')
	}
	return v
}

// maxVersionDigits is how many digits a uint64 holds, whatever they are. etcd's revisions have no more.
const maxVersionDigits = 19

// appendVersion is the reverse; nothing for 0.
func appendVersion(b []byte, v uint64) []byte {
	if v == 0 {
		return b
	}
	return strconv.AppendUint(b, v, 10)
}
