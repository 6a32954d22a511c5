package form

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/mergepatch"
)

// TestPatchDoesWhatApplyDoes creates random events, and changes them by random updates both ways.
func TestPatchDoesWhatApplyDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		create, update := randomWrite(t), randomWrite(t)
		update.ResourceVersion = 0 // a precondition, not a change
		core := *Core(&create)
		events := ToCore(Events(&create))
		compare(t, CoreV1, core, &update, func(patch []byte) (corev1.Event, error) { return mergepatch.Apply(core, patch) })
		compare(t, EventsV1, events, &update, func(patch []byte) (corev1.Event, error) {
			patched, err := mergepatch.Apply(ToEvents(&events), patch)
			return ToCore(&patched), err
		})
	})
}

func compare(t *rapid.T, f Form, e corev1.Event, w *runtime.Write, patched func([]byte) (corev1.Event, error)) {
	patch := f.AppendPatch(nil, w)
	got, err := patched(patch)
	if err != nil {
		t.Fatalf("%v: %v: %s", f, err, patch)
	}
	want := e.DeepCopy()
	f.Apply(want, w)
	if diff := cmp.Diff(*want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%v: patch %s does something else (- Apply, + patch):\n%s", f, patch, diff)
	}
}

func randomWrite(t *rapid.T) runtime.Write {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 0, 3, rapid.ID)
	w := runtime.Write{
		Namespace: "n", Name: "e", Reason: text.Draw(t, "reason"), Note: []byte(text.Draw(t, "note")),
		Aggregate: rapid.Bool().Draw(t, "aggregate"), LatestNote: rapid.Bool().Draw(t, "latest note"),
		Count: rapid.SampledFrom([]int32{0, 1, 2, 3, math.MaxInt32}).Draw(t, "count"),
		First: randomTime(t), Last: randomTime(t),
		ResourceVersion: rapid.Uint64().Draw(t, "version"),
	}
	for _, key := range keys.Draw(t, "keys") {
		w.Annotations = append(w.Annotations, runtime.Annotation{Key: key, Value: text.Draw(t, "value")})
	}
	return w
}

func randomTime(t *rapid.T) time.Time {
	if rapid.IntRange(0, 9).Draw(t, "no time") == 0 {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(-1e10, 1e11).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos"))
}

// FuzzAppendString holds the encoder against encoding/json.
func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "é日🎉\u2028\u2029\ufffd", "\xff\xfe", "a\xe6\x97b\xf0\x9f\x98", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		encoded := appendString([]byte("x"), s)[1:]
		if string(appendString(nil, []byte(s))) != string(encoded) {
			t.Errorf("%q: bytes and string differ", s)
		}
		var decoded string
		if err := json.Unmarshal(encoded, &decoded); err != nil || !utf8.Valid(encoded) {
			t.Fatalf("%q: not valid JSON: %s: %v", s, encoded, err)
		}
		if decoded != text(s) {
			t.Errorf("%q: decoded %q, want %q", s, decoded, text(s))
		}
	})
}

// FuzzAppendPatch looks for a write whose patch is not valid JSON.
func FuzzAppendPatch(f *testing.F) {
	f.Add([]byte("note"), "key", "value", int32(2), int64(1e18), uint64(7), true, false)
	f.Add([]byte("\xff\""), "\\", "\n", int32(-1), int64(0), uint64(0), false, true)
	f.Fuzz(func(t *testing.T, note []byte, key, value string, count int32, last int64, version uint64, aggregate, latest bool) {
		w := runtime.Write{Note: note, Count: count, Last: time.Unix(0, last), ResourceVersion: version, Aggregate: aggregate, LatestNote: latest,
			Annotations: []runtime.Annotation{{Key: key, Value: value}, {Key: value, Value: key}}}
		for _, form := range []Form{CoreV1, EventsV1} {
			patch := form.AppendPatch(nil, &w)
			if !json.Valid(patch) || !utf8.Valid(patch) {
				t.Errorf("%v: not valid JSON: %s", form, patch)
			}
		}
	})
}

func TestAppendPatchKeepsWhatIsThere(t *testing.T) {
	w := runtime.Write{Count: 2}
	if got := string(CoreV1.AppendPatch([]byte("before "), &w)); got != `before {"metadata":{},"count":2,"lastTimestamp":null}` {
		t.Error(got)
	}
}

func TestAppendPatchAllocatesNothing(t *testing.T) {
	w := runtime.Write{Count: 2, Last: time.Unix(1e9, 0), Aggregate: true, Note: []byte(strings.Repeat("é\"\n", 300)),
		Annotations: []runtime.Annotation{{Key: "k", Value: "v"}}, ResourceVersion: math.MaxUint64}
	b := make([]byte, 0, 4096)
	for _, f := range []Form{CoreV1, EventsV1} {
		if n := testing.AllocsPerRun(100, func() { b = f.AppendPatch(b[:0], &w) }); n != 0 {
			t.Errorf("%v: %v allocations", f, n)
		}
	}
}

func TestConversionsLoseNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomWrite(t)
		w.HasRelated = rapid.Bool().Draw(t, "related")
		for _, e := range []corev1.Event{*Core(&w), ToCore(Events(&w))} {
			converted := ToEvents(&e)
			if diff := cmp.Diff(e, ToCore(&converted)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}
