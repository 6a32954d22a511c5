package store

// What is held is counted as Go's allocator holds it: texts take up the next larger of its sizes.

const (
	largestClass = 32 << 10
	pageBytes    = 8 << 10
	wordBytes    = 8
)

// classes holds for each number of words the size that an allocation of so much has.
var classes = func() (sizes [largestClass/wordBytes + 1]uint16) {
	for words := 0; words+1 < len(sizes); {
		grown = append([]byte(nil), make([]byte, words*wordBytes+1)...)
		for words*wordBytes < cap(grown) {
			words++
			sizes[words] = uint16(cap(grown))
		}
	}
	return sizes
}()

// grown keeps what classes allocates from the stack.
var grown []byte

// allocated is what so many bytes without pointers cost.
func allocated(n int) int64 {
	switch {
	case n < 2*wordBytes:
		return int64(n) // small ones share a piece
	case n <= largestClass:
		return int64(classes[(n+wordBytes-1)/wordBytes])
	}
	return int64(n+pageBytes-1) / pageBytes * pageBytes
}
