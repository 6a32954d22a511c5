package rights

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Manifests are read, or found unreadable at a line that they have. Read manifests can be judged.
func FuzzManifests(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatalf("%d cases: %v", len(cases), err)
	}
	for _, file := range cases {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			if strings.HasSuffix(part.Name, ".yaml") {
				f.Add(part.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		set, findings := Read([]string{Stdin}, bytes.NewReader(data))
		if len(findings) == 0 {
			p := Program{Name: "cmd/manager", Needs: []Need{needs["core"], needs["auto"], needs["election"]}}
			findings = Judge(set, []Program{p}, []Program{p}, "")
		}
		for _, found := range findings {
			if found.Pos.Line > bytes.Count(data, []byte("\n"))+1 || strings.ContainsAny(found.String(), "\n\x1b\x00") {
				t.Errorf("a finding beyond the file, or not fit for a line: %q", found)
			}
		}
	})
}
