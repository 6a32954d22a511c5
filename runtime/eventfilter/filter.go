package eventfilter

import (
	"iter"
	"strings"
	"sync"
	"sync/atomic"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Filter is a broadcaster.Filter made of rules; the package's documentation has their form. The
// zero Filter records everything. A *Filter is a flag.Value, and one of github.com/spf13/pflag.
// It is safe for concurrent use: new rules are in force at once in all broadcasters that have it.
// These share what it counts and what every=DURATION remembers.
type Filter struct {
	current atomic.Pointer[rules] // nil: everything is recorded
	err     atomic.Pointer[error] // of a file's last reading
	mu      sync.Mutex            // held while the rules change
}

// Func returns a filter that asks a function whether an event is to be recorded. The function is
// called for every event, in the goroutine that records, so it must be fast and safe for concurrent
// use. If it panics, the event is recorded. The filter's only rule is "function".
func Func(keep func(e eventrt.Event) bool) *Filter {
	f := new(Filter)
	f.current.Store(&rules{keep: keep, all: []*rule{{text: "function"}}})
	return f
}

// Set replaces the rules by those that text describes. If there is a mistake, the rules stay as
// they are. The error names line and column of the mistake, counted in characters from 1, and what
// to write. A rule that was there before goes on with its count.
func (f *Filter) Set(text string) error { return f.set("filter", text) }

// set reads the rules from a source, which the error names.
func (f *Filter) set(source, text string) error {
	parsed, err := parse(source, text)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.current.Store(replacing(f.current.Load(), parsed))
	return nil
}

// load returns the rules in force; nil: everything is recorded.
func (f *Filter) load() *rules {
	if f == nil { // as package flag asks for String
		return nil
	}
	return f.current.Load()
}

// Keep reports whether an event is to be recorded, and counts it for the rule that drops it.
func (f *Filter) Keep(e eventrt.Event) bool {
	r := f.load()
	return r == nil || r.keeps(&e)
}

// Rules yields the text of each rule in force, in their order, and the number of events that it has
// dropped.
func (f *Filter) Rules() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		r := f.load()
		for i := 0; r != nil && i < len(r.all); i++ {
			if !yield(r.all[i].text, r.all[i].dropped.Load()) {
				return
			}
		}
	}
}

// Err returns why the file that Watch follows can't be used now; nil: it can, or there is none.
func (f *Filter) Err() error {
	if f == nil || f.err.Load() == nil {
		return nil
	}
	return *f.err.Load()
}

// String returns the rules on one line and without comments. Set makes equal rules of it. It is
// empty for Func.
func (f *Filter) String() string {
	r := f.load()
	if r == nil || r.keep != nil {
		return ""
	}
	var texts []string
	for text := range f.Rules() {
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// Type is for flags of package pflag, which show it in their help.
func (f *Filter) Type() string { return "filter" }
