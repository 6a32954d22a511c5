package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"strings"
	"sync"
)

// pieceEnd is a line between declarations of the unformatted file. No text of a catalog makes such a line: comments hold
// no control characters, and string literals stand in quotes.
const pieceEnd = "//\x00"

// pieceBytes is the least that is formatted at once: enough for the work to outweigh the ado.
const pieceBytes = 32 << 10

// endPiece ends a run of declarations that can be formatted without the others.
func (f *file) endPiece() { f.Comment(pieceEnd) }

// formatPieces formats a file, which takes longer than to write it, on all processors: pieces of the least size or more.
func formatPieces(source []byte, least int) ([]byte, error) {
	pieces := cut(source, least)
	problems := make([]error, len(pieces))
	var wg sync.WaitGroup
	for i := range pieces {
		clause := ""
		if i > 0 {
			clause = packageClause
		}
		wg.Go(func() { pieces[i], problems[i] = formatPiece(clause, pieces[i]) })
	}
	wg.Wait()
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return append(bytes.Join(pieces, []byte("\n\n")), '\n'), nil
}

// cut splits a file at the ends of pieces, and joins those that are small.
func cut(source []byte, least int) [][]byte {
	var pieces [][]byte
	var piece []byte
	for part := range bytes.SplitSeq(source, []byte(pieceEnd+"\n")) {
		piece = append(append(piece, part...), '\n')
		if len(piece) >= least {
			pieces, piece = append(pieces, piece), nil
		}
	}
	if len(bytes.TrimSpace(piece)) > 0 {
		pieces = append(pieces, piece)
	}
	return pieces
}

// packageClause makes a file of a piece, as the formatter treats the first comment of mere declarations otherwise.
const packageClause = "package piece\n\n"

func formatPiece(clause string, piece []byte) ([]byte, error) {
	source := append([]byte(clause), piece...)
	formatted, err := format.Source(source)
	if err != nil {
		return nil, rejected(source, err)
	}
	return bytes.TrimSpace(formatted[len(clause):]), nil
}

// rejected is an error of the formatter with the line that it is about.
func rejected(source []byte, err error) error {
	line := ""
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		lines := strings.Split(string(source), "\n")
		if n := list[0].Pos.Line; n >= 1 && n <= len(lines) {
			line = "\n\t" + lines[n-1]
		}
	}
	return fmt.Errorf("%w%s", err, line)
}
