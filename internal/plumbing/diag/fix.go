package diag

// Edit replaces the bytes of a file from Start to before End.
type Edit struct {
	Start, End int
	Text       string
}

// Fix mends one finding.
type Fix struct {
	Description string
	Edits       []Edit
}
