package breaking

import (
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

var (
	pairsFlag = flag.Int("breaking.pairs", 250, "how many pairs of catalogs to compare")
)

// TestDifferences compares what the findings say with what differs, for random catalogs and one to three mutations of each.
// A difference without a finding fails, and so does a finding without a difference. A pair that fails prints its seed:
// go test ./test/breaking -run TestDifferences -breaking.pairs=1 -seed=N.
func TestDifferences(t *testing.T) {
	dir := home(t)
	pairs := *pairsFlag
	if testing.Short() {
		pairs = min(pairs, 25)
	}
	start := seed.Of(t)
	compared, broken, failed := 0, 0, 0
	for i := uint64(0); compared < pairs && failed < 20; i++ {
		ok, found, same := compareSeed(t, dir, start+i)
		if ok {
			compared++
		}
		if found {
			broken++
		}
		if !same {
			failed++
		}
	}
	t.Logf("%d pairs, of which %d break something", compared, broken)
}

// compareSeed compares one pair; ok is false where it has errors.
func compareSeed(t *testing.T, dir string, seed uint64) (ok, breaks, same bool) {
	m := maker{rand.New(rand.NewPCG(seed, 1))}
	was, is, how := m.sides(t, dir)
	if is == nil {
		return false, false, true
	}
	j := newJudge(m, was, is)
	if problems := j.problems(t); len(problems) > 0 {
		t.Errorf("-breaking.pairs=1 -seed=%d: %s\nfindings:\n%s", seed, how(problems), j)
		return true, true, false
	}
	return true, len(j.findings) > 0, true
}

// sides are a random set of catalogs and what one to three mutations make of it; is is nil where one of them has errors.
// how shows both with what is wrong.
func (m maker) sides(t *testing.T, dir string) (was, is *model.Set, how func(problems []string) string) {
	old := m.catalogs()
	was, ok := build(t, dir, old)
	if !ok {
		return nil, nil, nil
	}
	now := clone(toList(old)).(list)
	var paths []string
	for range 1 + m.IntN(3) {
		next, set, path := m.mutation(t, dir, now)
		if set == nil {
			break
		}
		now, is, paths = next, set, append(paths, path)
	}
	return was, is, func(problems []string) string {
		return fmt.Sprintf("mutated %s:\n%s\nwas %s\nis %s", strings.Join(paths, ", "), strings.Join(problems, "\n"), text(old...), text(fromList(now)...))
	}
}

func toList(docs []document) list {
	var out list
	for _, d := range docs {
		out = append(out, d)
	}
	return out
}

func fromList(docs list) []document {
	var out []document
	for _, d := range docs {
		out = append(out, d.(document))
	}
	return out
}

func text(docs ...document) string {
	var b strings.Builder
	for _, d := range docs {
		data, _ := json.MarshalIndent(d["spec"], "", " ")
		b.Write(data)
	}
	return b.String()
}

// mutation changes one key so that the catalogs stay without errors.
func (m maker) mutation(t *testing.T, dir string, docs list) (list, *model.Set, string) {
	all := sortedKeys(mutators)
	for range 20 {
		path := pickOf(m.Rand, all...)
		next := clone(docs).(list)
		if !pickOf(m.Rand, mutators[path]...)(m, next[m.IntN(len(next))].(document)) {
			continue
		}
		if set, ok := build(t, dir, fromList(next)); ok {
			return next, set, path
		}
	}
	return nil, nil, ""
}

// judge holds the findings about a pair of sets to the differences between them.
type judge struct {
	m        maker
	was, is  *model.Set
	findings diag.Findings
	// differs are the differences, by event of before: the kind of difference, with an example.
	differs map[string]map[kind]string
	// called are the events of before that can still be called as before.
	called map[string]bool
	// compared are those of packages that still have their import path and recorder.
	compared map[string]bool
	pairs    []pair
	// lost are the packages whose import path is lost.
	lost   []*model.Package
	errors []string
}

// kind is a kind of difference.
type kind string

const (
	goAPI      kind = "Go API"
	importPath kind = "import path"
	rejected   kind = "rejected"
	identity   kind = "identity"
	gone       kind = "identity gone"
	kinded     kind = "kind"
	annotated  kind = "annotation"
	mergedness kind = "merging"
	worded     kind = "text"
	fewer      kind = "fewer events"
	later      kind = "later writes"
)

// explains are the kinds of differences that a rule stands for. The first rules that stand for a kind must be reported for
// it, by any of them.
var explains = map[string][]kind{
	"BG01": {goAPI},
	"BG02": {goAPI, worded, annotated, mergedness, kinded, identity},
	"BG03": {goAPI, rejected, kinded},
	"BG04": {goAPI, importPath},
	"BW01": {identity, gone},
	"BW02": {gone},
	"BW03": {kinded, rejected},
	"BW04": {annotated},
	"BW05": {mergedness},
	"BW06": {worded},
	"BW07": {fewer},
	"BW08": {later},
}

// excused are the differences that need no finding, or not one of their own: the exemptions.
var excused = []struct {
	why string
	is  func(j *judge, event string, k kind) bool
}{
	{"what was deprecated may go", func(j *judge, event string, k kind) bool {
		e := j.old(event)
		return e != nil && e.Deprecated != nil && (k == gone || k == goAPI && j.now(event) == nil)
	}},
	{"another kind is another text where the message shows the kind, and another identity for merging", func(j *judge, event string, k kind) bool {
		return (k == worded || k == annotated || k == mergedness) && j.has(event, "BW03")
	}},
	{"another variant has another message, and merges otherwise", func(j *judge, event string, k kind) bool {
		return (k == worded || k == mergedness || k == fewer) && j.has(event, "BW01")
	}},
	{"other words leave another rest, whose cut decides what is alike", func(j *judge, event string, k kind) bool {
		return k == mergedness && j.has(event, "BW06")
	}},
	{"of a package that is gone with all of its events, each event says so", func(j *judge, event string, k kind) bool {
		return event == "" && k == importPath && !slices.ContainsFunc(j.lost, func(p *model.Package) bool { return !j.emptied(p) })
	}},
	{"what waits for a token of a limit is no event yet, and may be lost", func(j *judge, event string, k kind) bool {
		return k == fewer && j.has(event, "BW08")
	}},
	{"other keys make other numbers of events", func(j *judge, event string, k kind) bool {
		return k == fewer && (j.has(event, "BW05") || j.has(event, "BG02") || j.has(event, "BG03"))
	}},
}

func newJudge(m maker, was, is *model.Set) *judge {
	j := &judge{m: m, was: was, is: is, differs: map[string]map[kind]string{}, called: map[string]bool{}, compared: map[string]bool{}}
	j.findings = breaking.Compare(breaking.Baseline{Set: was}, is, breaking.Options{})
	return j
}

func (j *judge) String() string {
	var b strings.Builder
	for _, f := range j.findings {
		fmt.Fprintf(&b, "%s (%v, formerly %v)\n", f, f.Change.Events, f.Change.Formerly)
	}
	return b.String()
}

func (j *judge) old(event string) *model.Event { return eventOf(j.was, event) }
func (j *judge) now(event string) *model.Event { return eventOf(j.is, event) }

func eventOf(set *model.Set, name string) *model.Event {
	for _, p := range set.Packages {
		for _, e := range p.Events {
			if e.Name == name {
				return e
			}
		}
	}
	return nil
}

func (j *judge) differ(event string, k kind, example string) {
	if j.differs[event] == nil {
		j.differs[event] = map[kind]string{}
	}
	if j.differs[event][k] == "" {
		j.differs[event][k] = example
	}
}

// has reports whether a finding says a rule of an event, by its name of before.
func (j *judge) has(event, rule string) bool {
	return slices.ContainsFunc(j.findings, func(f diag.Finding) bool {
		return slices.Contains(f.Change.Rules, rule) && slices.Contains(f.Change.Formerly, event)
	})
}

// emptied reports whether a finding says of each event of a package that it is gone, and none that it is elsewhere. What was
// deprecated may go.
func (j *judge) emptied(p *model.Package) bool {
	return !slices.ContainsFunc(p.Events, func(e *model.Event) bool {
		return e.Deprecated == nil && !slices.ContainsFunc(j.findings, func(f diag.Finding) bool {
			return slices.Contains(f.Change.Rules, "BG01") && slices.Contains(f.Change.Formerly, e.Name) && slices.Contains(f.Change.Events, e.Name)
		})
	})
}

// problems are the differences without a finding, and the findings without a difference.
func (j *judge) problems(t *testing.T) []string {
	j.packages(t)
	j.policies()
	j.paces()
	j.tokens()
	j.notes()
	j.gone()
	for event, kinds := range j.differs {
		for k, example := range kinds {
			if !j.explained(event, k) {
				j.errors = append(j.errors, fmt.Sprintf("no finding for %s of %q: %s", k, event, example))
			}
		}
	}
	for _, f := range j.findings {
		for _, rule := range f.Change.Rules {
			if !j.witnessed(f, rule) {
				j.errors = append(j.errors, fmt.Sprintf("nothing differs for %s: %s", rule, f))
			}
		}
	}
	slices.Sort(j.errors)
	return j.errors
}

func (j *judge) explained(event string, k kind) bool {
	for _, e := range excused {
		if e.is(j, event, k) {
			return true
		}
	}
	for _, f := range j.findings {
		about := slices.Contains(f.Change.Formerly, event) || event == "" && slices.Contains(f.Change.Rules, "BG04")
		for _, rule := range f.Change.Rules {
			if about && slices.Contains(explains[rule], k) {
				return true
			}
		}
	}
	return false
}

// witnessed reports whether a difference shows what a rule says. Where callers can't call as before, nothing on the wire
// can be compared.
func (j *judge) witnessed(f diag.Finding, rule string) bool {
	if rule == "BG04" {
		return len(j.differs[""]) > 0
	}
	for _, event := range f.Change.Formerly {
		if !j.compared[event] || !j.called[event] && rule != "BG01" && rule != "BW02" {
			return true
		}
		if rule == "BW07" && (j.has(event, "BW05") || j.has(event, "BW01")) { // other groups, or other members of them
			return true
		}
		for k := range j.differs[event] {
			if slices.Contains(explains[rule], k) {
				return true
			}
		}
	}
	return false
}

// packages compares each package with the one of its import path.
func (j *judge) packages(t *testing.T) {
	was, is := typeCheck(t, j.was), typeCheck(t, j.is)
	for _, p := range j.was.Packages {
		i := slices.IndexFunc(j.is.Packages, func(o *model.Package) bool { return o.Path == p.Path })
		if i < 0 || j.is.Packages[i].Name != p.Name {
			j.differ("", importPath, p.Path)
			j.lost = append(j.lost, p)
			continue
		}
		now := j.is.Packages[i]
		if p.Recorder != now.Recorder {
			j.differ("", goAPI, p.Recorder)
			continue
		}
		lost := incompatible(was[p.Path], is[p.Path])
		for name, what := range incompatible(was[p.Fake().Path], is[now.Fake().Path]) {
			lost["fake "+name] = what
		}
		for name, what := range lost {
			for _, event := range owners(p, name) {
				j.differ(event, goAPI, name+": "+what)
			}
		}
		j.events(p, now, lost)
	}
}

// owners are the events of a package that an identifier is generated for; the package itself, empty, for none.
func owners(p *model.Package, name string) []string {
	base, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(name, "fake "), "Fake."), ".")
	method := strings.TrimPrefix(name, "Recorder.")
	method = strings.TrimPrefix(method, p.Recorder+".")
	var out []string
	add := func(e *model.Event) {
		if !slices.Contains(out, e.Name) {
			out = append(out, e.Name)
		}
	}
	for _, e := range p.Events {
		for _, m := range e.Methods {
			if slices.Contains([]string{m.Name, m.Constructor, m.Matcher(), m.Expect()}, method) || slices.Contains([]string{m.Matcher(), m.TypedMatcher(), m.Expect(), m.Constructor}, base) ||
				strings.HasSuffix(name, "."+m.Expect()) {
				add(e)
			}
			for _, s := range m.Definitions {
				if s.ReasonConst == base {
					add(e)
				}
			}
		}
		if e.ArgsType == base && base != "" || e.FakeArgsType() == base {
			add(e)
		}
		for _, param := range e.Params {
			if param.Enum != nil && (param.Enum.Type == base || slices.ContainsFunc(param.Enum.Values, func(c model.Constant) bool { return c.Name == base })) {
				add(e)
			}
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// events runs the same calls of each method that callers can call as before.
func (j *judge) events(was, is *model.Package, lost map[string]string) {
	for _, e := range was.Events {
		j.compared[e.Name] = true
		i := slices.IndexFunc(is.Events, func(o *model.Event) bool { return o.Name == e.Name })
		if i < 0 {
			continue
		}
		now := is.Events[i]
		for _, m := range e.Methods {
			k := slices.IndexFunc(now.Methods, func(o *model.Method) bool { return o.Name == m.Name })
			if k < 0 || lost[was.Recorder+"."+m.Name] != "" || fieldsLost(e, lost) {
				continue
			}
			j.called[e.Name] = true
			j.calls(newPair(e, now, m, now.Methods[k]))
			for n := range min(len(e.Also), len(now.Also)) {
				p := newPair(e, now, alsoOnly(m, e.Also[n]), alsoOnly(now.Methods[k], now.Also[n]))
				p.place = n + 1
				j.calls(p)
			}
		}
	}
}

// alsoOnly is a method as it is for one of its further objects.
func alsoOnly(m *model.Method, a *model.Also) *model.Method {
	return &model.Method{Name: m.Name, Regarding: a.Object, Wire: a.Wire}
}

func fieldsLost(e *model.Event, lost map[string]string) bool {
	for name := range lost {
		if e.ArgsType != "" && (name == e.ArgsType || strings.HasPrefix(name, e.ArgsType+".")) {
			return true
		}
	}
	return slices.ContainsFunc(e.Params, func(p *model.Param) bool { return p.Enum != nil && lost[p.Enum.Type] != "" })
}

func (j *judge) calls(p pair) {
	calls := p.calls(j.m)
	var before, after []eventrt.Event
	for _, c := range calls {
		before, after = append(before, p.before(c)), append(after, p.after(c))
	}
	for _, form := range []sink.Form{sink.EventsV1, sink.CoreV1} {
		for i, c := range calls {
			j.one(p.oldEvent.Name, c, store(form, before[i]), store(form, after[i]))
		}
		j.merging(p, calls, before, after, form)
	}
	j.pairs = append(j.pairs, p)
}

// one compares what one call is stored as.
func (j *judge) one(event string, c call, was, is *stored) {
	switch {
	case was == nil: // what was rejected may be stored
		return
	case is == nil:
		j.differ(event, rejected, c.String())
		return
	}
	says := func(k kind, before, after any) {
		j.differ(event, k, fmt.Sprintf("%v became %v by %s", before, after, c))
	}
	if was.Reason != is.Reason || was.Action != is.Action || was.Type != is.Type || was.Controller != is.Controller {
		says(identity, *was, *is)
	}
	if was.Regarding.FieldPath == "" { // a place inside the object says more than none
		is.Regarding.FieldPath = ""
	}
	if !cutFrom(was.Regarding.FieldPath, is.Regarding.FieldPath) {
		says(kinded, was.Regarding, is.Regarding)
	}
	was.Regarding.FieldPath, is.Regarding.FieldPath = "", ""
	if was.Regarding != is.Regarding || was.Related != nil && (is.Related == nil || *was.Related != *is.Related) {
		says(kinded, was, is)
	}
	for key, text := range was.Annotations { // a new annotation says more than none
		if now, there := is.Annotations[key]; !there || !cutFrom(text, now) {
			says(annotated, text, is.Annotations[key])
		}
	}
	if !cutFrom(was.Note, is.Note) {
		says(worded, fmt.Sprintf("%q", was.Note), fmt.Sprintf("%q", is.Note))
	}
}

// merging compares which calls became one event. Calls of which a text was cut before are left out: less is cut now, or more,
// which other calls show.
func (j *judge) merging(p pair, calls []call, before, after []eventrt.Event, form sink.Form) {
	var kept []int
	for i := range calls {
		args := before[i].Args()
		if !slices.ContainsFunc(args, func(a eventrt.Arg) bool { return strings.HasSuffix(a.Text(), cutMark) }) && before[i].Problem() == eventrt.NoProblem {
			kept = append(kept, i)
		}
	}
	pickEvents := func(all []eventrt.Event) []eventrt.Event {
		var out []eventrt.Event
		for _, i := range kept {
			out = append(out, all[i])
		}
		return out
	}
	was, is := merged(form, pickEvents(before)), merged(form, pickEvents(after))
	for a := range kept {
		for b := range a {
			if is[a] == "" || is[b] == "" {
				continue
			}
			if (was[a] == was[b]) != (is[a] == is[b]) {
				j.differ(p.oldEvent.Name, mergedness, fmt.Sprintf("one event was %t and is %t: %s; %s", was[a] == was[b], is[a] == is[b], calls[kept[b]], calls[kept[a]]))
				return
			}
		}
	}
}

// gone are the wire identities that no event has any more.
func (j *judge) gone() {
	now := map[[4]string]bool{}
	for _, p := range j.is.Packages {
		for _, e := range p.Events {
			for _, s := range e.Methods[0].Definitions {
				now[identityOf(s)] = true
			}
		}
	}
	for _, p := range j.was.Packages {
		for _, e := range p.Events {
			for _, s := range e.Methods[0].Definitions {
				if !now[identityOf(s)] {
					j.differ(e.Name, gone, fmt.Sprint(identityOf(s)))
				}
			}
		}
	}
}

func identityOf(s *model.Definition) [4]string {
	return [4]string{s.Runtime.ReportingController, s.Runtime.Reason, s.Runtime.Action, s.Runtime.Type}
}

func limits(e *model.Event) eventrt.Correlation {
	c := e.Methods[0].Definitions[0].Runtime.Correlation
	c.Merged = 0
	c.Limit = nil // that has a test of its own
	return c
}

// gaps and bursts are how calls come that may reach a limit.
var (
	gaps   = []time.Duration{10 * time.Second, 11 * time.Minute, 61 * time.Minute}
	crowds = []int{1, 2, 5, 30}
)

const mostCalls = 300

// policies looks for calls of which fewer become events of their own than before.
func (j *judge) policies() {
	for _, p := range j.pairs {
		if limits(p.oldEvent) == limits(p.newEvent) && !j.has(p.oldEvent.Name, "BW07") {
			continue
		}
		for _, v := range p.selections() {
			for _, regarding := range p.regardings()[:1] {
				j.policy(p, j.group(p, v, regarding))
			}
		}
	}
}

// selections are the values that select something; one that is nothing where nothing is selected.
func (p pair) selections() []string {
	out := []string{"usual"}
	for _, s := range append(slices.Clone(p.old.Definitions), p.now.Definitions...) {
		if s.Variant != nil {
			out = append(out, s.Variant.Value)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (j *judge) policy(p pair, group []both) {
	if len(group) == 0 || j.differs[p.oldEvent.Name][fewer] != "" {
		return
	}
	for _, gap := range gaps {
		for _, crowd := range append(crowds, mostCalls) {
			if crowd == mostCalls && gap != gaps[0] {
				continue
			}
			was, is, fell := fewerOf(group, gap, crowd)
			if fell {
				j.differ(p.oldEvent.Name, fewer, fmt.Sprintf("%d events were written and %d are: %d calls every %s", was, is, crowd, gap))
				return
			}
		}
	}
}

// fewerOf compares how many events of their own the calls become, before and now. Events that share a budget take its tokens in
// turns, and the order of the calls decides whose turn comes when a token is earned: a count that falls in one order and
// not in the other is no difference. Neither is a count that falls because others of the group take more than before.
func fewerOf(group []both, gap time.Duration, crowd int) (was, is int, fell bool) {
	for _, company := range companies(group) {
		if was, is, fell = fewerBeside(company, gap, crowd); fell {
			return was, is, true
		}
	}
	return 0, 0, false
}

func fewerBeside(group []both, gap time.Duration, crowd int) (was, is int, fell bool) {
	for order := range orders(group) {
		was, is = created(order, true, gap, crowd), created(order, false, gap, crowd)
		if is >= was {
			return was, is, false
		}
	}
	return was, is, true
}

// companies are the group with the others as they are now, before as well, and the group with those others alone that had the
// limits of ours and changed with it. Where tokens were earned at another pace, the others stay as they were: a shared budget is
// kept as time, which events of different paces do not share as tokens.
func companies(group []both) [][]both {
	var beside, alike []both
	ours := group[slices.IndexFunc(group, func(b both) bool { return b.ours })]
	settled := ours.was.Definition().Correlation.Every == ours.is.Definition().Correlation.Every
	for _, b := range group {
		if b.ours || samePolicy(b.was, ours.was) {
			alike = append(alike, b)
		}
		if settled && !b.ours {
			b.was = b.is
		}
		beside = append(beside, b)
	}
	if !slices.ContainsFunc(alike, func(b both) bool { return !b.ours }) {
		return [][]both{beside}
	}
	return [][]both{beside, alike}
}

func samePolicy(a, b eventrt.Event) bool {
	x, y := a.Definition().Correlation, b.Definition().Correlation
	x.Merged, y.Merged = 0, 0
	return x == y
}

// orders are a group as it is, backwards within each round of calls, and with each call of a round as its first.
func orders(group []both) iter.Seq[[]both] {
	return func(yield func([]both) bool) {
		round := slices.IndexFunc(group, func(b both) bool { return b.ends }) + 1
		if !yield(group) || !yield(rearranged(group, round, slices.Reverse[[]both])) {
			return
		}
		for first := 1; first < round; first++ {
			turned := rearranged(group, round, func(calls []both) { copy(calls, append(slices.Clone(calls[first:]), calls[:first]...)) })
			if !yield(turned) {
				return
			}
		}
	}
}

// rearranged is a group whose rounds, of so many calls each, are in another order.
func rearranged(group []both, round int, rearrange func([]both)) []both {
	out := slices.Clone(group)
	for calls := range slices.Chunk(out, round) {
		rearrange(calls)
	}
	return out
}

// both is one call on both sides.
type both struct {
	was, is eventrt.Event
	ours    bool // the call is of the event that is looked at, by whichever of its methods
	ends    bool // the call is the last of its round
}

// group are distinct calls about one object that share limits: of the event, each behind one of each other event of its
// reason, type and controller.
func (j *judge) group(p pair, selection string, regarding k8sruntime.Object) []both {
	var out []both
	for n := range mostCalls {
		own, ok := p.distinct(n, selection, regarding)
		if !ok {
			return nil
		}
		for _, other := range j.pairs {
			if other.old == p.old {
				continue
			}
			for _, v := range other.selections() {
				b, ok := other.distinct(n, v, regarding)
				if ok && sameGroup(b.was, own.was) && sameGroup(b.is, own.is) && sameLimits(b, own) {
					b.ours = other.oldEvent == p.oldEvent
					out = append(out, b)
				}
			}
		}
		own.ours, own.ends = true, true
		out = append(out, own)
	}
	return out
}

func sameGroup(a, b eventrt.Event) bool {
	return !a.Definition().Correlation.Alone() && !b.Definition().Correlation.Alone() && a.Reason() == b.Reason() && a.Type() == b.Type() && a.Definition().ReportingController == b.Definition().ReportingController
}

// inside refers to a place in an object, another one for each n.
func inside(obj k8sruntime.Object, n int) k8sruntime.Object {
	if ref, ok := obj.(*corev1.ObjectReference); ok {
		return ref
	}
	kind := eventrt.AnyObject(obj)
	e := eventrt.NewEvent(&eventrt.Definition{Reason: "R"}, kind, eventrt.ObjectRef{})
	e.ResolveKinds(scheme)
	ref := e.Regarding().Reference()
	ref.ResourceVersion, ref.FieldPath = "", fmt.Sprintf("spec.part{%d}", n)
	return &ref
}

// sameLimits reports whether two events have one policy now, and earned at one pace before: a shared budget is kept as time.
func sameLimits(a, b both) bool {
	return samePolicy(a.is, b.is) && a.was.Definition().Correlation.Every == b.was.Definition().Correlation.Every
}

// distinct is a call about an object that differs from those of other n, as far as the params allow it.
func (p pair) distinct(n int, selection string, regarding k8sruntime.Object) (both, bool) {
	c := call{args: make([]value, len(p.to)), regarding: regarding}
	if regardingType(p.old).Name == "Object" {
		c.regarding = inside(regarding, n)
	}
	if want := regardingType(p.old); want.Name != "Object" && typeOf(regarding) != want.Path+"."+want.Name {
		return both{}, false
	}
	if p.oldEvent.Related != nil {
		c.related = objectsOf(p.oldEvent.Related.Object.GoType)[0]
		c.related.(metav1.Object).SetName(fmt.Sprintf("related-%d", n))
		c.related.(metav1.Object).SetUID("")
	}
	for i := range p.to {
		switch param := p.oldEvent.Params[i]; {
		case param == p.oldEvent.Select || p.newEvent.Params[p.to[i]] == p.newEvent.Select:
			c.args[i] = p.selecting(i, selection, n)
		default:
			c.args[i] = distinct(p.domain(i), param, n, i)
		}
	}
	b := both{was: p.before(c), is: p.after(c)}
	return b, b.was.Problem() == eventrt.NoProblem && b.is.Problem() == eventrt.NoProblem
}

func (p pair) selecting(i int, selection string, n int) value {
	for _, v := range p.domain(i) {
		if v.constant != "" && v.was == selection {
			return v
		}
	}
	if selection == "usual" {
		selection = fmt.Sprint("v", n)
	}
	return same(selection)
}

// distinct is a value of which there is another one for each n, as far as the type has so many.
// Params with few values take turns by the bits of n.
func distinct(domain []value, p *model.Param, n, i int) value {
	if p.Definition.Sensitive || p.Convert == "Bool" {
		return domain[n>>i%2]
	}
	switch p.Convert {
	case "Int", "Uint":
		return same(n)
	case "Float":
		return same(float64(n))
	case "Duration":
		return same(time.Duration(n) * time.Hour)
	case "Time":
		return same(time.Unix(int64(n)*86400, 0))
	case "String":
		return same(fmt.Sprint("v", n))
	case "Strings":
		return same([]string{fmt.Sprint("v", n)})
	case "Error":
		err := fmt.Errorf("v%d", n)
		return value{text: err.Error(), was: err, is: err}
	case "Quantity":
		return same(*resource.NewQuantity(int64(n), resource.DecimalSI))
	case "NamespacedName":
		return same(types.NamespacedName{Name: fmt.Sprint("v", n)})
	case "ObjectName":
		return same(k8sruntime.Object(&corev1.Pod{ObjectMeta: meta(fmt.Sprint("v", n))}))
	}
	return domain[0]
}

// settles is the time after a crowd in which repeats in it are written, so that they are remembered no longer than the others.
const settles = 10 * time.Second

// created is how many events of their own the calls of the event that is looked at become. Calls come in crowds, with a
// gap between them.
func created(group []both, was bool, gap time.Duration, crowd int) int {
	p := newPipeline(sink.EventsV1, false)
	created := 0
	for n, b := range group {
		if n%crowd == 0 {
			p.pass(settles)
			p.drain()
			p.pass(gap - settles)
		}
		p.drain()
		before := p.created
		e := b.is
		if was {
			e = b.was
		}
		if p.record(e); b.ours {
			created += p.created - before
		}
	}
	return created
}

func TestMain(m *testing.M) { os.Exit(m.Run()) }
