package correlator

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// nameOf is the unique name of an event about an object.
func nameOf(about, kind string, serial, tag uint64) string {
	c := &Correlator{opts: Options{Tag: tag, Identity: Unique}}
	o := &object{name: about, kind: metav1.TypeMeta{Kind: kind}}
	return string(c.appendEventName(nil, &record{group: &group{object: o}, serial: serial}))
}

func samePlace(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }

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
		{"upper case", "Web", "Pod", "pod"},
		{"colons, as RBAC has", "system:node", "ClusterRole", "clusterrole"},
		{"empty", "", "Pod", "pod"},
		{"dots only", "...", "Pod", "pod"},
		{"two dots", "a..b", "Pod", "pod"},
		{"a hyphen before a dot", "a-.b", "Pod", "pod"},
		{"a hyphen after a dot", "a.-b", "Pod", "pod"},
		{"a hyphen first", "-a", "Pod", "pod"},
		{"a hyphen last", "a-", "Pod", "a"},
		{"invalid UTF-8", "a\xff", "Pod", "pod"},
		{"a slash", "a/b", "Pod", "pod"},
		{"no name and no kind", "", "", "event"},
		{"an odd kind", "A", "Kind Of", "event"},
		{"a long kind", "A", long, "event"},
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

func TestNamesAreValidWhateverTheObjectIsCalled(t *testing.T) {
	testseed.Check(t, func(t *rapid.T) {
		object, kind := oddNames().Draw(t, "name"), oddNames().Draw(t, "kind")
		got := nameOf(object, kind, rapid.Uint64().Draw(t, "serial"), rapid.Uint64().Draw(t, "tag"))
		if problems := validation.IsDNS1123Subdomain(got); len(problems) > 0 {
			t.Fatalf("%q: %v", got, problems)
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
	r := newRig(t, Options{NoAggregate: true, Identity: Unique})
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

func TestAnEventKeepsItsName(t *testing.T) {
	r := newRig(t, Options{})
	names := map[string]bool{}
	for range 5 {
		r.record(about("job", normal, "x"))
		r.pass(9 * minute)
		w := r.next()
		r.ok(w)
		names[w.Name] = true
	}
	if len(names) != 1 {
		t.Errorf("%v", names)
	}
}

func TestTagsTellProcessesApart(t *testing.T) {
	a := nameOf("x", "", 7, 1)
	b := nameOf("x", "", 7, 2)
	if a == b {
		t.Errorf("%s twice", a)
	}
}

func TestEventsAboutClusterScopedObjectsLiveInDefault(t *testing.T) {
	r := newRig(t, Options{})
	r.record(eventrt.NewEvent(normal, refer(clusterScoped()), eventrt.ObjectRef{}, eventrt.String("x")))
	if w := r.next(); w.Namespace != "default" || w.Regarding.Namespace != "" {
		t.Errorf("namespace %q, that of the object %q", w.Namespace, w.Regarding.Namespace)
	}
}

func TestNamespacesThatCantBeAreRejected(t *testing.T) {
	r := newRig(t, Options{})
	bad := []string{"Prod", "a_b", "a.b", "-a", "a-", "a b", "\xff", "ä", strings.Repeat("x", 64), ".", " "}
	for _, namespace := range bad {
		ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: "x"}
		if got := r.observe(eventrt.NewEvent(normal, refer(ref), eventrt.ObjectRef{}, eventrt.String("x"))); got != eventrt.BadNamespace {
			t.Errorf("%q: %v", namespace, got)
		}
	}
	r.stats(books{rejected: uint64(len(bad))})
	for _, namespace := range []string{"a", "0", "a-0", strings.Repeat("x", 63)} {
		ref := corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: "x"}
		if got := r.observe(eventrt.NewEvent(normal, refer(ref), eventrt.ObjectRef{}, eventrt.String("x"))); got != eventrt.NoProblem {
			t.Errorf("%q: %v", namespace, got)
		}
	}
}

func TestEventsWithAProblemAreCounted(t *testing.T) {
	r := newRig(t, Options{})
	var zero eventrt.Event
	if got := r.observe(zero); got != eventrt.NoDefinition {
		t.Errorf("%v", got)
	}
	if got := r.observe(eventrt.NewEvent(normal, eventrt.ObjectOf(nil), eventrt.ObjectRef{})); got != eventrt.NilRegarding {
		t.Errorf("%v", got)
	}
	r.c.Disabled()
	if s := r.c.Stats(); s.Recorded != 3 || s.Lost.Rejected != 2 || s.Lost.Disabled != 1 || s.Identities != 0 {
		t.Errorf("%+v", s)
	}
}

func TestInstancesAreNamedAfterControllerAndHost(t *testing.T) {
	long := strings.Repeat("h", 200)
	tests := []struct{ controller, host, want string }{
		{"example.com/c", "host-1", "example.com/c-host-1"},
		{"c", long[:126], "c-" + long[:126]},
	}
	for _, tt := range tests {
		if got := InstanceName(tt.controller, tt.host); got != tt.want {
			t.Errorf("%q", got)
		}
	}
	a, b := InstanceName("c", long), InstanceName("c", long+"x")
	if len(a) != 128 || len(b) != 128 || a == b {
		t.Errorf("%q and %q", a, b)
	}
}

func TestEachControllerHasAnInstance(t *testing.T) {
	c := newCorrelator(Options{ReportingController: "example.com/default", Host: "host"})
	for n := range 1000 {
		f := base()
		f.controller = fmt.Sprint("example.com/c-", n)
		f.regarding.Name = fmt.Sprint("job-", n)
		e := f.event()
		c.Observe(&e, eventrt.Instant{Wall: time.Unix(1, 0)})
		var w sink.Write
		if ok, _ := c.Next(eventrt.Instant{}, &w); !ok || w.ReportingController != f.controller || w.ReportingInstance != f.controller+"-host" {
			t.Fatalf("%q, %q", w.ReportingController, w.ReportingInstance)
		}
		c.Done(&w, done(), eventrt.Instant{})
		if want := n%maxReporters + 1; len(c.reporters) != want {
			t.Fatalf("%d reporters are kept after %d controllers, expected %d", len(c.reporters), n+1, want)
		}
	}
}

// TestAnObjectKeepsItsName in the reference of an event that can't be named after it. The kind
// names the event then, if it is no longer than a label.
func TestAnObjectKeepsItsName(t *testing.T) {
	for _, c := range []struct{ object, kind, prefix string }{
		{"web", "Pod", "web."}, {"Has_Capitals", "Pod", "pod."},
		{"Has_Capitals", strings.Repeat("K", 63), strings.Repeat("k", 63) + "."}, {"Has_Capitals", strings.Repeat("K", 64), "event."},
	} {
		r := newRig(t, Options{})
		r.record(withReference(normal, corev1.ObjectReference{Kind: c.kind, Name: c.object}, corev1.ObjectReference{}))
		if w := r.next(); w.Regarding.Name != c.object || !strings.HasPrefix(w.Name, c.prefix) {
			t.Errorf("%s %s: event %s about %s", c.kind, c.object, w.Name, w.Regarding.Name)
		}
	}
}

func TestTheLongestReportingInstance(t *testing.T) {
	for n, valid := range map[int]bool{128: true, 129: false} {
		if err := (Options{ReportingInstance: strings.Repeat("x", n)}).Validate(); (err == nil) != valid {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
