// Package correlating runs the part of a recorder that finds out what an occurrence means, without a broadcaster around
// it: client-go's EventCorrelator and this module's correlator.
package correlating

import (
	"math/rand/v2"

	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// Kind is a kind of occurrence.
type Kind struct {
	Name string
	// newText says that each occurrence has a text of its own, folds that such occurrences fold into an aggregate.
	newText bool
	folds   bool
}

// The kinds of occurrences.
var (
	Repeat   = Kind{Name: "repeat"}
	Distinct = Kind{Name: "distinct", newText: true}
	Similar  = Kind{Name: "similar", newText: true, folds: true}

	Kinds = []Kind{Repeat, Distinct, Similar}
)

// Contender takes occurrences.
type Contender interface {
	// Occur takes an occurrence up and has it written. Further calls go on to the next object and the next text.
	Occur()
	// Patches is the number of patches made.
	Patches() int
}

// Time is the nanoseconds of one of n occurrences: the median of ten bursts.
func Time(c Contender, n int) float64 {
	const bursts = 10
	return measure.Bursts{Count: bursts, Size: n / bursts, Settle: func(int) {}}.Run(func(int) { c.Occur() })
}

// filled is how many distinct texts about each object come before what is measured: the second one folds, where any does.
func (k Kind) filled() int {
	if k.folds {
		return 2
	}
	return 1
}

// shuffled are the numbers of objects in the order in which they are filled in, which is not the order in which they
// occur later: neighbours in memory are not neighbours in time.
func shuffled(objects int) []int {
	return rand.New(rand.NewPCG(1, 2)).Perm(objects)
}

// texts are jobs' names; those for filling in come first.
func texts(k Kind, occurrences int) []string {
	if !k.newText {
		return systems.Jobs(k.filled())
	}
	return systems.Jobs(k.filled() + occurrences)
}

// turn steps through objects and texts.
type turn struct {
	kind    Kind
	objects int
	object  int
	text    int
	texts   []string
}

func newTurn(k Kind, objects, occurrences int) turn {
	return turn{kind: k, objects: objects, object: -1, text: k.filled() - 1, texts: texts(k, occurrences)}
}

// next is the object and the text of the next occurrence.
func (t *turn) next() (object int, text string) {
	if t.object++; t.object == t.objects {
		t.object = 0
	}
	if t.kind.newText {
		t.text++
	}
	return t.object, t.texts[t.text]
}
