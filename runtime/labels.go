package eventrt

import (
	"maps"
	"slices"
	"strings"
	"unique"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
)

// maxLabels bounds the labels of a definition, and those of a recorder.
const maxLabels = 8

// labelSet has the values of a regarding object's labels, in the order of the definition's Labels.
type labelSet struct {
	values [maxLabels]string
	set    uint8 // has bit i if the object has label i
}

// copied is a labelSet that all events of equal labels share. An event thus stays small, holds
// nothing of the caller's object, and a repeat finds the set that is there. The zero value has no
// labels.
type copied struct{ shared unique.Handle[labelSet] }

// copyLabels copies the labels that a definition takes from the regarding object. An ObjectRef that
// was made of a reference has none.
func copyLabels(labels []AnnotationDefinition, source any) (c copied) {
	defer func() { _ = recover() }() // the object's methods may panic, as for ObjectOf
	var s labelSet
	switch o := source.(type) {
	case nil:
	case k8sruntime.Unstructured: // its GetLabels would copy them all
		s = setOf[any](labels, nested(nested(o.UnstructuredContent(), "metadata"), "labels"))
	case metav1.Object:
		s = setOf(labels, o.GetLabels())
	case k8sruntime.Object:
		if meta := metadataOf(o); meta != nil {
			s = setOf(labels, meta.GetLabels())
		}
	}
	if s.set != 0 {
		c.shared = unique.Make(s)
	}
	return c
}

func nested(m map[string]any, key string) map[string]any {
	inner, _ := m[key].(map[string]any)
	return inner
}

func setOf[V any](labels []AnnotationDefinition, of map[string]V) (s labelSet) {
	for i := range min(len(labels), maxLabels) {
		value, ok := of[labels[i].Key]
		if text, isText := any(value).(string); ok && isText && labels[i].Value == nil {
			s.values[i] = text
			s.set |= 1 << i
		}
	}
	return s
}

// label returns label i of the definition's, if the object has it.
func (c copied) label(i int) (value string, ok bool) {
	if c == (copied{}) || i >= maxLabels {
		return "", false
	}
	s := c.shared.Value()
	return s.values[i], s.set&(1<<i) != 0
}

// WithLabels returns a recorder whose events also carry the labels, at most eight. It copies the
// map. A label that the API server would refuse, or that is one too many, is left out of the
// events, which Stats.LabelsLeftOut counts. The catalog's constants go before the recorder's
// labels, these before copied ones. Labels are not part of an event's identity: the write that
// creates the event sets them, and none changes them.
func (r *Recorder) WithLabels(labels map[string]string) *Recorder {
	return r.with(func(a *attached) {
		a.labels, a.badLabels = slices.Clone(a.labels), slices.Clone(a.badLabels)
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			value := r.redact(labels[key])
			a.badLabels = slices.DeleteFunc(a.badLabels, func(bad string) bool { return bad == key })
			at, found := findLabel(a.labels, key)
			if found {
				a.labels = slices.Delete(a.labels, at, at+1)
			}
			if len(a.labels) == maxLabels || len(validation.IsQualifiedName(key)) > 0 || !isLabelValue(value) {
				a.badLabels = append(a.badLabels, Clean(key, MaxReasonBytes))
				continue
			}
			a.labels = slices.Insert(a.labels, at, Annotation{Key: strings.Clone(key), Value: strings.Clone(value)})
		}
	})
}

func isLabelValue(value string) bool { return len(validation.IsValidLabelValue(value)) == 0 }

// findLabel searches a list that is sorted by key.
func findLabel(labels []Annotation, key string) (at int, found bool) {
	return slices.BinarySearchFunc(labels, key, func(l Annotation, key string) int { return strings.Compare(l.Key, key) })
}

// Labels returns the labels of the event as they will be stored, sorted by key: the catalog's, the
// recorder's, and those of the regarding object. A publisher's own are missing. LeftOut has the
// keys of those that are no labels. The caller must not change either.
func (e *Event) Labels() (labels []Annotation, leftOut []string) {
	var given []Annotation
	if e.attached != nil {
		given, leftOut = e.attached.labels, slices.Clip(e.attached.badLabels)
	}
	if e.def == nil || len(e.def.Labels) == 0 {
		return given, leftOut
	}
	labels = append(make([]Annotation, 0, len(given)+len(e.def.Labels)), given...)
	for i := range e.def.Labels {
		l := &e.def.Labels[i]
		at, found := findLabel(labels, l.Key)
		value, isThere := e.copied.label(i)
		switch {
		case l.Value != nil && found:
			labels[at].Value = l.Value[0].Text
		case l.Value != nil:
			labels = slices.Insert(labels, at, Annotation{Key: l.Key, Value: l.Value[0].Text})
		case !isThere || found:
		case !isLabelValue(value):
			leftOut = append(leftOut, l.Key)
		default:
			labels = slices.Insert(labels, at, Annotation{Key: l.Key, Value: value})
		}
	}
	return labels, leftOut
}
