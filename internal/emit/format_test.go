package emit

import (
	"bytes"
	"go/format"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/model"
)

// A file that is formatted in pieces is what Go's formatter makes of the whole.
func TestFormatPieces(t *testing.T) {
	catalogs, findings := catalog.ReadFile(catalog.Source{Path: filepath.FromSlash("testdata/golden/features/catalog.yaml")})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	set, findings := model.Build(t.Context(), catalogs, model.Options{})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	var raw bytes.Buffer
	f := newFile(set.Packages[0])
	f.NoFormat = true
	if err := f.Render(&raw); err != nil {
		t.Fatal(err)
	}
	whole, err := formatPieces(raw.Bytes(), math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(whole); err != nil || !bytes.Equal(whole, formatted) {
		t.Errorf("gofmt would change it: %v\n%s", err, cmp.Diff(string(whole), string(formatted)))
	}
	for _, least := range []int{1, 500, 4000} {
		pieces, err := formatPieces(raw.Bytes(), least)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(whole), string(pieces)); diff != "" {
			t.Errorf("in pieces of %d bytes it differs (-whole +pieces):\n%s", least, diff)
		}
	}
}

// The line that the formatter rejects is shown, in whatever piece it is.
func TestFormatPiecesShowsTheLine(t *testing.T) {
	source := "package a\n" + pieceEnd + "\nvar a = 1\n" + pieceEnd + "\nvar b = )\n"
	_, err := formatPieces([]byte(source), 1)
	if err == nil || !strings.HasSuffix(err.Error(), "\n\tvar b = )") {
		t.Errorf("the error is %v", err)
	}
}
