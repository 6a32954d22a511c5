package form

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestPatchDoesWhatApplyDoes creates random events, and changes them by random updates both ways.
func TestPatchDoesWhatApplyDoes(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		create, update := randomWrite(t), randomWrite(t)
		update.ResourceVersion = 0 // a precondition, not a change
		core := *Core(&create)
		events := ToCore(Events(&create))
		compare(t, CoreV1, core, &update, func(patch []byte) (corev1.Event, error) { return patched(core, patch) })
		compare(t, EventsV1, events, &update, func(patch []byte) (corev1.Event, error) {
			patched, err := patched(ToEvents(&events), patch)
			return ToCore(&patched), err
		})
	})
}

// patched is the object as a server leaves it that applies a merge patch.
func patched[T any](object T, patch []byte) (result T, err error) {
	before, err := json.Marshal(object)
	if err != nil {
		return result, err
	}
	after, err := jsonpatch.MergePatch(before, patch)
	if err != nil {
		return result, err
	}
	return result, json.Unmarshal(after, &result)
}

func compare(t *rapid.T, f Form, e corev1.Event, w *sink.Write, apply func([]byte) (corev1.Event, error)) {
	patch := f.Patch(w)
	got, err := apply(patch)
	if err != nil {
		t.Fatalf("%v: %v: %s", f, err, patch)
	}
	want := e.DeepCopy()
	f.Apply(want, w)
	if diff := cmp.Diff(*want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%v: patch %s does something else (- Apply, + patch):\n%s", f, patch, diff)
	}
}

func randomWrite(t *rapid.T) sink.Write {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,3}`), 0, 3, rapid.ID)
	w := sink.Write{
		Namespace: "n", Name: "e", Reason: text.Draw(t, "reason"), Note: []byte(text.Draw(t, "note")),
		Aggregate: rapid.Bool().Draw(t, "aggregate"), LatestNote: rapid.Bool().Draw(t, "latest note"),
		Count: rapid.SampledFrom([]int32{0, 1, 2, 3, math.MaxInt32}).Draw(t, "count"),
		First: randomTime(t), Last: randomTime(t),
		ResourceVersion: rapid.Uint64().Draw(t, "version"),
	}
	for _, key := range keys.Draw(t, "keys") {
		w.Annotations = append(w.Annotations, eventrt.Annotation{Key: key, Value: text.Draw(t, "value")})
	}
	return w
}

func randomTime(t *rapid.T) time.Time {
	if rapid.IntRange(0, 9).Draw(t, "no time") == 0 {
		return time.Time{}
	}
	return time.Unix(rapid.Int64Range(-1e10, 1e11).Draw(t, "seconds"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos"))
}

func TestConversionsLoseNothing(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
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
