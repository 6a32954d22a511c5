package fix

import (
	"cmp"
	"slices"

	"github.com/event-gen/event-gen/internal/diag"
)

// Apply makes edits. If edits overlap, it leaves the later ones out.
func Apply(data []byte, edits []Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.Start < at {
			continue
		}
		out = append(append(out, data[at:e.Start]...), e.Text...)
		at = e.End
	}
	return append(out, data[at:]...)
}

// All mends the findings that have a sure answer.
func All(data []byte, findings diag.Findings) []byte {
	f, ok := Parse(data)
	if !ok {
		return data
	}
	var edits []Edit
	for _, finding := range findings {
		fix, ok := f.For(finding)
		if ok && !overlaps(edits, fix.Edits) {
			edits = append(edits, fix.Edits...)
		}
	}
	mended := Apply(data, edits)
	if _, ok := Parse(mended); !ok {
		return data
	}
	return mended
}

// overlaps keeps a fix whole: it is made with all of its edits or not at all.
func overlaps(edits, more []Edit) bool {
	return slices.ContainsFunc(edits, func(a Edit) bool {
		return slices.ContainsFunc(more, func(b Edit) bool { return a.Start < b.End && b.Start < a.End })
	})
}
