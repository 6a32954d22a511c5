package breaking

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

var compiledOf = flag.String("breaking.compiled.of", "", "the seeds of the pairs that this binary was built with, with commas: TestCompiledPairs sets it")

// compiledPairs is how many pairs are compiled, which holds the calls of TestDifferences to emitted code.
const compiledPairs = 10

// emitted are the packages that an overlay adds to this binary, by seed, side and import path.
var emitted = map[string]emittedPackage{}

type emittedPackage struct {
	recorder  func(*eventrt.Recorder) any
	constants map[string]any // by Go name
}

const (
	before = "before"
	after  = "after"
)

// TestCompiledPairs compiles what ten pairs of catalogs generate, and makes the calls of TestDifferences on the generated
// recorders: each must give the event that TestDifferences computes from the model.
func TestCompiledPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles twenty packages")
	}
	first := seed.Of(t)
	o := overlay{dir: t.TempDir(), files: map[string]string{}}
	home := home(t)
	var seeds []string
	for seed := first; len(seeds) < compiledPairs; seed++ {
		if j := judged(t, home, seed); j != nil && len(j.called) > 0 {
			o.add(t, seed, before, j.was)
			o.add(t, seed, after, j.is)
			seeds = append(seeds, strconv.FormatUint(seed, 10))
		}
	}
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-overlay="+o.write(t), "-run=^TestEmittedCode$", "-v", ".", "-breaking.compiled.of="+strings.Join(seeds, ","))
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestEmittedCode")) {
		t.Errorf("seeds from %d: %v\n%s", first, err, out)
	} else {
		t.Logf("%s", out)
	}
}

// judged is the comparison of a seed's pair; nil where a side has errors.
func judged(t *testing.T, dir string, seed uint64) *judge {
	m := maker{rand.New(rand.NewPCG(seed, 1))}
	was, is, _ := m.sides(t, dir)
	if is == nil {
		return nil
	}
	j := newJudge(m, was, is)
	j.packages(t)
	return j
}

// overlay adds generated packages below this folder, and a file that registers them, without writing into the folder.
type overlay struct {
	dir      string
	files    map[string]string // by the path that the go command sees
	imports  bytes.Buffer
	register bytes.Buffer
	count    int
}

func (o *overlay) add(t *testing.T, seed uint64, side string, set *model.Set) {
	t.Helper()
	for _, p := range set.Packages {
		o.count++
		folder := fmt.Sprintf("zz_compiled/p%d/%s", o.count, p.Name)
		o.file(t, filepath.Join(folder, "zz.go"), func(w io.Writer) error { return emit.Go(w, p) })
		fmt.Fprintf(&o.imports, "\tp%d %q\n", o.count, "github.com/event-gen/event-gen/test/breaking/"+folder)
		fmt.Fprintf(&o.register, "\temitted[%q] = emittedPackage{\n\t\tfunc(r *eventrt.Recorder) any { return p%d.New%s(r) },\n\t\tmap[string]any{\n",
			emittedKey(seed, side, p.Path), o.count, p.Recorder)
		for _, name := range enumConstants(p) {
			fmt.Fprintf(&o.register, "\t\t\t%q: p%d.%s,\n", name, o.count, name)
		}
		o.register.WriteString("\t\t},\n\t}\n")
	}
}

func emittedKey(seed uint64, side, path string) string { return fmt.Sprint(seed, " ", side, " ", path) }

func enumConstants(p *model.Package) []string {
	var names []string
	for _, e := range p.Events {
		for _, param := range e.Params {
			if param.Enum != nil {
				for _, c := range param.Enum.Values {
					names = append(names, c.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (o *overlay) file(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(o.dir, fmt.Sprintf("f%d.go", len(o.files)))
	if err := os.WriteFile(to, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	o.files[filepath.Join(here, name)] = to
}

// write gives the path of the overlay.
func (o *overlay) write(t *testing.T) string {
	t.Helper()
	o.file(t, "zz_compiled_test.go", func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "package breaking\n\nimport (\n\teventrt %q\n\n%s)\n\nfunc init() {\n%s}\n", model.RuntimePath, o.imports.String(), o.register.String())
		return err
	})
	data, err := json.Marshal(map[string]any{"Replace": o.files})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.dir, "overlay.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEmittedCode runs in the binary that TestCompiledPairs builds.
func TestEmittedCode(t *testing.T) {
	if *compiledOf == "" {
		if len(emitted) > 0 {
			t.Fatal("no seeds")
		}
		return // TestCompiledPairs runs it
	}
	dir := home(t)
	calls := 0
	for text := range strings.SplitSeq(*compiledOf, ",") {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		j := judged(t, dir, seed)
		for _, p := range j.pairs {
			e := emission{t: t, p: p, before: packageOf(t, seed, before, j.was, p.oldEvent), after: packageOf(t, seed, after, j.is, p.newEvent)}
			calls += e.compare(p.calls(j.m))
		}
	}
	if calls < 20*compiledPairs {
		t.Errorf("only %d calls", calls)
	}
	t.Logf("%d calls", calls)
}

func packageOf(t *testing.T, seed uint64, side string, set *model.Set, e *model.Event) emittedPackage {
	t.Helper()
	for _, p := range set.Packages {
		if slices.Contains(p.Events, e) {
			if found, ok := emitted[emittedKey(seed, side, p.Path)]; ok {
				return found
			}
		}
	}
	t.Fatalf("seed %d: nothing was emitted for %s %s", seed, e.Name, side)
	return emittedPackage{}
}

// emission holds one method's calls to its emitted code on both sides.
type emission struct {
	t             *testing.T
	p             pair
	before, after emittedPackage
}

func (e emission) compare(calls []call) int {
	var was, is, emittedWas, emittedIs []eventrt.Event
	for _, c := range calls {
		was, is = append(was, e.p.before(c)), append(is, e.p.after(c))
		emittedWas = append(emittedWas, e.emit(e.before, e.p.oldEvent, e.p.old, c, false))
		emittedIs = append(emittedIs, e.emit(e.after, e.p.newEvent, e.p.now, c, true))
	}
	e.same(before, calls, was, emittedWas)
	e.same(after, calls, is, emittedIs)
	return 2 * len(calls)
}

// same compares computed events with emitted ones: what is stored, what merges, and the policy.
func (e emission) same(side string, calls []call, computed, emitted []eventrt.Event) {
	for _, form := range []sink.Form{sink.EventsV1, sink.CoreV1} {
		for i, c := range calls {
			if diff := cmp.Diff(store(form, computed[i]), store(form, emitted[i])); diff != "" {
				e.t.Errorf("%s, %s: %s (-computed +emitted):\n%s", side, e.p.old.Name, c, diff)
			}
		}
		if diff := cmp.Diff(partition(merged(form, computed)), partition(merged(form, emitted))); diff != "" {
			e.t.Errorf("%s, %s: what merges (-computed +emitted):\n%s", side, e.p.old.Name, diff)
		}
	}
	for i := range calls {
		a, b := computed[i].Definition().Correlation, emitted[i].Definition().Correlation
		if !cmp.Equal(a, b) { // which looks at what a limit says
			e.t.Errorf("%s, %s: computed policy %v, emitted %v", side, e.p.old.Name, a, b)
		}
	}
}

// partition numbers the events that calls became occurrences of, since the names differ from run to run.
func partition(names []string) []int {
	var known []string
	out := make([]int, len(names))
	for i, name := range names {
		if out[i] = slices.Index(known, name); out[i] < 0 {
			out[i], known = len(known), append(known, name)
		}
	}
	return out
}

// capture keeps the event that an emitted method records.
type capture struct{ events []eventrt.Event }

func (c *capture) Publish(e eventrt.Event) { c.events = append(c.events, e) }

// emit makes a call on emitted code. now: with the arguments of after.
func (e emission) emit(pkg emittedPackage, event *model.Event, m *model.Method, c call, now bool) eventrt.Event {
	e.t.Helper()
	var sink capture
	method := reflect.ValueOf(pkg.recorder(eventrt.NewRecorder(&sink))).MethodByName(m.Name)
	if !method.IsValid() {
		e.t.Fatalf("emitted code has no method %s", m.Name)
	}
	var in []reflect.Value
	for n := range 1 + len(event.Also) {
		var obj any
		if n == e.p.place {
			obj = c.regarding
		}
		in = append(in, as(method.Type().In(n), obj))
	}
	if event.Related != nil {
		in = append(in, as(method.Type().In(len(in)), c.related))
	}
	if event.ArgsType != "" {
		in = append(in, reflect.New(method.Type().In(len(in))).Elem())
	}
	for i, v := range c.args {
		given, to := v.was, i
		if now {
			given, to = v.is, e.p.to[i]
		}
		if v.constant != "" {
			given = pkg.constants[v.constant]
		}
		if event.ArgsType == "" {
			in = append(in, as(method.Type().In(len(in)), given))
		} else {
			field := in[len(in)-1].FieldByName(event.Params[to].Field)
			field.Set(as(field.Type(), given))
		}
	}
	method.Call(in)
	if len(sink.events) != 1 {
		e.t.Fatalf("%s recorded %d events", m.Name, len(sink.events))
	}
	out := sink.events[0]
	out.ResolveKinds(scheme)
	return out
}

// as is a value as an argument of a type; nil is its zero value.
func as(t reflect.Type, v any) reflect.Value {
	if v == nil || t.Kind() == reflect.Interface && reflect.ValueOf(v).IsZero() {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(v).Convert(t)
}
