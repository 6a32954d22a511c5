package e2e

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/features/featureevents"
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// perSpec is how often each event is recorded in each group, with other arguments every time.
const perSpec = 12

// TestNoArgumentIsRejected records every event of the examples and of the generator's features with random arguments, of
// whatever type, about and related to objects of whatever name: the server takes all of them.
func TestNoArgumentIsRejected(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	seed := uint64(time.Now().UnixNano())
	for group, newSink := range groups {
		t.Run(group, func(t *testing.T) {
			t.Logf("seed %d", seed)
			g := &anything{rng: rand.New(rand.NewPCG(seed, 0)), namespace: newNamespace(t, clients)}
			b, err := broadcaster.New(broadcaster.Options{Sink: newSink(c.RESTConfig())})
			if err != nil {
				t.Fatal(err)
			}
			rec := runtime.NewRecorder(b).WithReportingController("example.com/host")
			recorded := 0
			for _, s := range allDefinitions() {
				for range perSpec {
					rec.WithAnnotations(map[string]string{"example.com/any": g.text()}).Emit(g.event(s))
					recorded++
				}
			}
			shutdown(t, b)
			if s := b.Stats(); s.Recorded != uint64(recorded) || s.Failures != 0 {
				t.Errorf("%d events were recorded: %+v", recorded, s)
			}
			checkAllWritten(t, b.Stats())
		})
	}
}

func allDefinitions() []*runtime.Definition {
	defs := featureevents.Definitions()
	for _, v := range vocabularies {
		defs = append(defs, v.defs...)
	}
	return defs
}

// anything makes what a caller can give.
type anything struct {
	rng       *rand.Rand
	namespace string
	count     int
}

func (g *anything) event(s *runtime.Definition) runtime.Event {
	args := make([]runtime.Arg, len(s.Params))
	for i := range args {
		args[i] = g.arg()
	}
	kind := s.Regarding
	if len(s.AnyOf) > 0 {
		kind = pick(g.rng, s.AnyOf)
	}
	related := runtime.ObjectRef{}
	if s.HasRelated && !(s.RelatedOptional && g.rng.IntN(2) == 0) {
		related = g.object(s.Related)
	}
	return runtime.NewEvent(s, g.object(kind), related, args...)
}

// object is one that no other event is about. Its namespace exists: the server has no other objects.
func (g *anything) object(kind metav1.TypeMeta) runtime.ObjectRef {
	g.count++
	if kind.Kind == "" {
		kind = metav1.TypeMeta{APIVersion: "example.com/v1", Kind: "Thing"}
	}
	return runtime.ReferenceOf(&corev1.ObjectReference{
		APIVersion: kind.APIVersion, Kind: kind.Kind, Namespace: g.namespace,
		Name: fmt.Sprintf("%s%d", g.text(), g.count), UID: types.UID(fmt.Sprintf("%s%d", g.text(), g.count)),
		FieldPath: g.text(), ResourceVersion: g.text(),
	})
}

var texts = []string{
	"", "web", "a: b", "\x00", "\xff\xfe", "é\n\r\t\u2028", "{}%s%!d(MISSING)", `"\`, "<script>", "/", "..", "-", "😀", "\ufeff",
	"(combined from similar events): ", strings.Repeat("n", 253), strings.Repeat("é", 2000), strings.Repeat("\xff", 5000),
	strings.Repeat("\"", 1200), strings.Repeat("😀\n", 2_000),
}

// text is one of those, or some of them, or random bytes.
func (g *anything) text() string {
	switch g.rng.IntN(4) {
	case 0:
		return pick(g.rng, texts[:len(texts)-4]) + pick(g.rng, texts)
	case 1:
		random := make([]byte, g.rng.IntN(1500))
		for i := range random {
			random[i] = byte(g.rng.Uint32())
		}
		return string(random)
	}
	return pick(g.rng, texts)
}

// panics is an error and a Stringer that can't say what it is.
type panics struct{}

func (panics) Error() string  { panic("no text") }
func (panics) String() string { panic("no text") }

func (g *anything) arg() runtime.Arg {
	number := pick(g.rng, []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, g.rng.Int64()})
	real := pick(g.rng, []float64{0, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.SmallestNonzeroFloat64, g.rng.NormFloat64()})
	return pick(g.rng, []runtime.Arg{
		runtime.String(g.text()), runtime.String(g.text()), runtime.Error(errors.New(g.text())), runtime.Error(nil),
		runtime.Error(panics{}), runtime.Stringer(panics{}), runtime.Strings([]string{g.text(), g.text()}, g.text()),
		runtime.Bool(number < 0), runtime.Int(number), runtime.Uint(uint64(number)), runtime.Float(real),
		runtime.Duration(time.Duration(number)), runtime.Time(time.Unix(number, 0)), runtime.Time(time.Time{}),
		runtime.Quantity(*resource.NewQuantity(number, resource.BinarySI)), runtime.Quantity(resource.MustParse("0.123456789123456789E18")),
		runtime.NamespacedName(types.NamespacedName{Namespace: g.text(), Name: g.text()}),
		runtime.ObjectName(nil), runtime.ObjectName(&corev1.ObjectReference{Kind: g.text(), Name: g.text()}),
		{},
	})
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }
