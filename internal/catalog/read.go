// Package catalog reads catalogs of events, and the configuration of a module, into trees in which
// every scalar has its line and column. It judges only form: unknown keys, kinds of values,
// templates. Package model computes the meaning of entries.
package catalog

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Source is a file to read.
type Source struct {
	// Path is the file's name in positions.
	Path string
	// InFolder is true if the file was found in a folder, not named. Documents of other API groups
	// are then ignored.
	InFolder bool
}

// Read reads every document of a file of catalogs, at most MaxBytes, and reports all mistakes of
// form (EV001, EV002). The catalogs have everything that could be read; see Complete.
func Read(name string, r io.Reader) ([]*Catalog, diag.Findings) {
	return ReadFrom(Source{Path: name}, r)
}

// ReadFrom is like Read, for a file that may have been found in a folder.
func ReadFrom(source Source, r io.Reader) (catalogs []*Catalog, findings diag.Findings) {
	data, findings := readText(source.Path, r)
	if len(findings) > 0 || source.InFolder && !bytes.Contains(data, []byte(Group)) {
		return nil, findings
	}
	empty := true
	for _, c := range split(data) {
		d := parse(source.Path, c)
		if d.root != nil && d.isWanted(source.InFolder) {
			catalogs = append(catalogs, d.catalog())
		}
		empty = empty && d.root == nil && len(d.findings) == 0
		findings = append(findings, d.findings...)
	}
	if empty && !source.InFolder {
		findings.Errorf(firstOf(source.Path), diag.Syntax, "expected an %s, found an empty file", KindCatalog)
	}
	findings.Sort()
	return catalogs, findings
}

// readText reads a whole file and checks that it is text.
func readText(name string, r io.Reader) ([]byte, diag.Findings) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, Unreadable(name, err)
	}
	if len(data) > MaxBytes {
		var findings diag.Findings
		findings.Unreadf(firstOf(name), diag.Syntax, "the file is larger than %d MiB; split it", MaxBytes>>20)
		return nil, findings
	}
	data = diag.WithoutMark(data)
	return data, checkText(name, data)
}

func firstOf(name string) diag.Pos { return diag.Pos{File: name, Line: 1, Column: 1} }

// Unreadable returns the finding about a file that can't be read or written. Its message leaves out
// the path, because the position has it.
func Unreadable(name string, err error) diag.Findings {
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		err = pathError.Err
	}
	var findings diag.Findings
	findings.Unreadf(diag.Pos{File: name}, "", "%v", err)
	return findings
}

// Unwritable returns the finding about files that could not be written. Its position is the path in
// the error, else the working directory.
func Unwritable(err error) diag.Findings {
	name := "."
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		name = path.Path
	}
	return Unreadable(name, err)
}

// Complete returns the catalogs and events of which the reader left nothing out. Later stages can
// judge these without repeating a finding of the reader.
func Complete(catalogs []*Catalog) []*Catalog {
	var complete []*Catalog
	for _, c := range catalogs {
		if c.Incomplete {
			continue
		}
		whole := *c
		whole.Events = slices.DeleteFunc(slices.Clone(c.Events), func(e Event) bool { return e.Incomplete })
		whole.Partial = c.Partial || len(whole.Events) < len(c.Events)
		complete = append(complete, &whole)
	}
	return complete
}
