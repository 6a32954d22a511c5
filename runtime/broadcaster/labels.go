package broadcaster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/notice"
	"github.com/event-gen/event-gen/runtime/sink"
)

// maxLabels bounds Options.Labels.
const maxLabels = 8

// validateLabels returns an error that names every label that an API server would refuse.
func validateLabels(labels map[string]string) error {
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if problems := validation.IsQualifiedName(key); len(problems) > 0 {
			errs = append(errs, fmt.Errorf("option Labels: %q is no key of a label: %s", key, strings.Join(problems, "; ")))
		}
		if problems := validation.IsValidLabelValue(labels[key]); len(problems) > 0 {
			errs = append(errs, fmt.Errorf("option Labels: %q, of key %q, is no value of a label: %s", labels[key], key, strings.Join(problems, "; ")))
		}
	}
	if len(labels) > maxLabels {
		errs = append(errs, fmt.Errorf("option Labels: expected at most %d, found %d", maxLabels, len(labels)))
	}
	return errors.Join(errs...)
}

// labelList is sorted by key, as in a write.
func labelList(labels map[string]string) []eventrt.Annotation {
	var list []eventrt.Annotation
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		list = append(list, eventrt.Annotation{Key: key, Value: labels[key]})
	}
	return list
}

// label sets the broadcaster's own labels on an event that is created. They go before all others:
// nobody who may label an object can have its events pass for those of another cluster.
func label(w *sink.Write, own []eventrt.Annotation) {
	if w.Operation != sink.Create {
		return
	}
	for _, l := range own {
		at, found := slices.BinarySearchFunc(w.Labels, l.Key, func(a eventrt.Annotation, key string) int { return cmp.Compare(a.Key, key) })
		if found {
			w.Labels[at] = l
		} else {
			w.Labels = slices.Insert(w.Labels, at, l)
		}
	}
}

// logLeftOut logs the first label that is left out of an event.
func (b *Broadcaster) logLeftOut(n *notice.Notice) {
	if !b.log.labelLeftOut.Swap(true) {
		b.log.error(nil, "A label is left out of an event, because it is no label or one too many; others are only counted",
			"label", n.Label, "namespace", n.Namespace)
	}
}
