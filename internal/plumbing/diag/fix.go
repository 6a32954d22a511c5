package diag

// Edit replaces the bytes of a file from Start to before End.
type Edit struct {
	Start, End int
	Text       string
}

// Fix holds the edits that fix one finding.
type Fix struct {
	Description string
	Edits       []Edit
}
