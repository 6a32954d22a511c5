package lint

import (
	"iter"

	"github.com/event-gen/event-gen/internal/catalog"
)

// messages gives the messages of an event: its own and those of its variants.
func messages(e *catalog.Event) iter.Seq[*catalog.Message] {
	return func(yield func(*catalog.Message) bool) {
		if !yield(e.Message) {
			return
		}
		for _, v := range e.Variants {
			if v.Message != nil && !yield(v.Message) {
				return
			}
		}
		if e.Other != nil && e.Other.Message != nil {
			yield(e.Other.Message)
		}
	}
}

// templates gives the messages of an event, and the values of its annotations.
func templates(e *catalog.Event) iter.Seq[*catalog.Message] {
	return func(yield func(*catalog.Message) bool) {
		for m := range messages(e) {
			if !yield(m) {
				return
			}
		}
		for i := range e.Annotations {
			if !yield(&e.Annotations[i].Value) {
				return
			}
		}
	}
}

// segments gives the segments of some messages.
func segments(of iter.Seq[*catalog.Message]) iter.Seq[catalog.Segment] {
	return func(yield func(catalog.Segment) bool) {
		for m := range of {
			for _, s := range m.Segments {
				if !yield(s) {
					return
				}
			}
		}
	}
}
