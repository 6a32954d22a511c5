package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/instance"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// nameOf is the unique name of an event about an object.
func nameOf(about, kind string, serial, tag uint64) string {
	c := &Correlator{writer: writerOptions{Tag: tag, Identity: Unique}}
	o := &object{name: about, kind: metav1.TypeMeta{Kind: kind}}
	return string(c.appendEventName(nil, &record{group: &group{object: o}, serial: serial}))
}

func TestEventsAreNamedAfterTheirObject(t *testing.T) {
	long := strings.Repeat("x", 300)
	const suffix = ".000000000000002a000000ff"
	tests := []struct {
		name, object, kind, want string
	}{
		{"a name", "web-0", "Pod", "web-0"},
		{"dots", "node.example.com", "Node", "node.example.com"},
		{"as long as fits", long[:228], "Pod", long[:228]},
		{"longer", long[:229], "Pod", long[:228]},
		{"as long as a name may be", long[:253], "Pod", long[:228]},
		{"cut at a dot", long[:226] + ".yz", "Pod", long[:226] + ".y"},
		{"cut behind a dot", long[:227] + ".yz", "Pod", long[:227]},
		{"cut behind a hyphen", long[:227] + "-yz", "Pod", long[:227]},
		{"colons, as RBAC has", "system:node", "ClusterRole", "clusterrole"},
		{"a hyphen last", "a-", "Pod", "a"},
		{"no name and no kind", "", "", "event"},
		{"an odd kind", "A", "Kind Of", "event"},
		{"a kind as long as a label", "A", long[:63], long[:63]},
		{"a longer kind", "A", long[:64], "event"},
		{"a kind in capital umlauts", "A", "ÄÖ", "event"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := nameOf(tt.object, tt.kind, 42, 255)
			if got != tt.want+suffix {
				t.Errorf("%q, want %q", got, tt.want+suffix)
			}
			if problems := validation.IsDNS1123Subdomain(got); len(problems) > 0 {
				t.Errorf("%q: %v", got, problems)
			}
		})
	}
}

// oddNames are names that are nearly right, or not at all.
func oddNames() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"a", "z9", "-", ".", "A", "_", ":", "\x00", "\xff", "é", "/", strings.Repeat("b", 60), strings.Repeat("c-", 60), strings.Repeat("d.", 60)})
	return rapid.OneOf(
		rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "") }),
		rapid.String(),
		rapid.StringMatching(`[a-z0-9.-]{0,300}`),
	)
}

// TestEventNamesAreValid, whatever the object is called.
func TestEventNamesAreValid(t *testing.T) {
	testseed.Check(t, func(t *rapid.T) {
		named := nameOf(oddNames().Draw(t, "name"), oddNames().Draw(t, "kind"), rapid.Uint64().Draw(t, "serial"), rapid.Uint64().Draw(t, "tag"))
		if problems := validation.IsDNS1123Subdomain(named); len(problems) > 0 {
			t.Fatalf("%q: %v", named, problems)
		}
	})
}

func FuzzNames(f *testing.F) {
	for _, name := range []string{"web-0", "A", "a..b", "-", strings.Repeat("x.", 200), "\xff", "system:node"} {
		f.Add(name, "Pod")
	}
	f.Fuzz(func(t *testing.T, name, kind string) {
		got := nameOf(name, kind, 1, 2)
		if problems := validation.IsDNS1123Subdomain(got); len(problems) > 0 {
			t.Fatalf("%q: %v", got, problems)
		}
	})
}

func TestNamesAreUniqueWhateverTheClockDoes(t *testing.T) {
	r := newRig(t, Options{Burst: -1}, writerOptions{Identity: Unique})
	seen := map[string]bool{}
	steps := []time.Duration{0, 0, time.Nanosecond, -time.Hour, 0, time.Hour, -time.Hour, 24 * time.Hour, -100 * 365 * 24 * time.Hour}
	for n, step := range steps {
		r.now.Wall = r.now.Wall.Add(step)
		r.record(distinct("job", normal, n*100, 100)...)
		for _, w := range r.writeAll() {
			if seen[w.Name] {
				t.Fatalf("%s twice", w.Name)
			}
			seen[w.Name] = true
		}
	}
	if len(seen) != 100*len(steps) {
		t.Errorf("%d names", len(seen))
	}
}

func TestEachControllerHasAnInstance(t *testing.T) {
	c := newCorrelator(Options{}, writerOptions{ReportingController: "example.com/default", Host: "host"})
	for n := range 1000 {
		f := base()
		f.controller = fmt.Sprint("example.com/c-", n)
		f.regarding.Name = fmt.Sprint("job-", n)
		e := f.event()
		c.Observe(&e, clock.Instant{Wall: time.Unix(1, 0)})
		var w sink.Write
		if ok, _ := c.Next(clock.Instant{}, &w); !ok || w.ReportingController != f.controller || w.ReportingInstance != f.controller+"-host" {
			t.Fatalf("%q, %q", w.ReportingController, w.ReportingInstance)
		}
		c.Done(&w, done(), clock.Instant{})
		if want := n%maxReporters + 1; len(c.reporters) != want {
			t.Fatalf("%d reporters are kept after %d controllers, expected %d", len(c.reporters), n+1, want)
		}
	}
}

// TestWhatIsRejected is counted.
func TestWhatIsRejected(t *testing.T) {
	in := func(namespace string) eventrt.Event {
		return withReference(normal, corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Namespace: namespace, Name: "node"}, corev1.ObjectReference{})
	}
	r := newRig(t, Options{})
	for n, c := range []struct {
		event eventrt.Event
		want  eventrt.Problem
	}{
		{eventrt.Event{}, problems.NoDefinition}, {eventrt.NewEvent(normal, eventrt.ObjectOf(nil), eventrt.ObjectRef{}), problems.NilRegarding},
		{in("Prod"), problems.BadNamespace}, {in("a.b"), problems.BadNamespace}, {in(strings.Repeat("x", 64)), problems.BadNamespace},
	} {
		if got := r.observe(c.event); got != c.want {
			t.Errorf("%d: %v, expected %v", n, got, c.want)
		}
		r.stats(books{rejected: uint64(n) + 1})
	}
}

func TestEventsAboutClusterScopedObjectsLiveInDefault(t *testing.T) {
	r := newRig(t, Options{})
	r.record(withReference(normal, clusterScoped(), corev1.ObjectReference{}))
	if w := r.next(); w.Namespace != "default" || w.Regarding.Namespace != "" {
		t.Errorf("namespace %q, that of the object %q", w.Namespace, w.Regarding.Namespace)
	}
}

func TestReportingInstances(t *testing.T) {
	long := strings.Repeat("h", 200)
	a, b := instance.Name("c", long), instance.Name("c", long+"x")
	if len(a) != 128 || len(b) != 128 || a == b || instance.Name("c", long[:126]) != "c-"+long[:126] {
		t.Errorf("cut to %q and %q", a, b)
	}
	for n, valid := range map[int]bool{128: true, 129: false} {
		if err := validate(Options{}, writerOptions{ReportingInstance: long[:n]}); (err == nil) != valid {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
