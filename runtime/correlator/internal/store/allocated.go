package store

// Memory is counted in the sizes of Go's allocator: a text takes up the next larger size.

const (
	largestClass = 32 << 10
	pageBytes    = 8 << 10
	wordBytes    = 8
)

// classes holds the size of an allocation for each number of words.
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

// grown keeps the allocations of classes off the stack.
var grown []byte

// allocated returns the memory that n bytes without pointers take up.
func allocated(n int) int64 {
	switch {
	case n < 2*wordBytes: // mutate: 16 bytes are a class
		return int64(n) // small ones share a piece
	case n <= largestClass: // mutate: the largest class is whole pages
		return int64(classes[(n+wordBytes-1)/wordBytes])
	}
	return int64(n+pageBytes-1) / pageBytes * pageBytes
}
