package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/teststorage"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/metrics"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// dashboard is Grafana's dashboard, as far as tests look at it.
type dashboard struct {
	Panels []struct {
		Title   string
		Targets []struct{ Expr string }
	}
	Templating struct {
		List []struct{ Name, Definition string }
	}
}

// Each query of the dashboard and of the alerts parses, and names only metrics that a collector
// exports. Each query of the dashboard returns a series, on the samples of a broadcaster that
// records, is refused, filters and has a subscriber.
func TestQueries(t *testing.T) {
	store := teststorage.New(t)
	exported, end := samples(t, store)
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1e6, Timeout: time.Minute})
	t.Cleanup(func() { engine.Close() })
	var d dashboard
	read(t, "dashboard.json", &d)
	queries := 0
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			queries++
			expr := inGrafana.Replace(target.Expr)
			named(t, expr, exported)
			query, err := engine.NewInstantQuery(t.Context(), store, nil, expr, end)
			if err != nil {
				t.Errorf("%s: %s: %v", p.Title, expr, err)
				continue
			}
			result := query.Exec(t.Context())
			if vector, err := result.Vector(); err != nil || len(vector) == 0 {
				t.Errorf("%s: %s returns no series (%v)", p.Title, expr, err)
			}
		}
	}
	if queries == 0 {
		t.Error("the dashboard has no queries")
	}
	for _, v := range d.Templating.List {
		if v.Definition != "" {
			selector, _, _ := strings.Cut(strings.TrimPrefix(inGrafana.Replace(v.Definition), "label_values("), ", "+v.Name)
			named(t, selector, exported)
		}
	}
	var file struct{ Groups []group }
	read(t, "rules.yaml", &file)
	for _, r := range file.Groups[0].Rules {
		named(t, r.Expr, exported)
	}
}

// inGrafana replaces variables as Grafana does with all values chosen.
var inGrafana = strings.NewReplacer("$namespace", ".*", "$job", ".*", "$__rate_interval", "1m")

// named reports metrics of an expression that nothing exports.
func named(t *testing.T, expr string, exported map[string]bool) {
	t.Helper()
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(expr)
	if err != nil {
		t.Errorf("%s: %v", expr, err)
		return
	}
	for _, selectors := range parser.ExtractSelectors(parsed) {
		for _, m := range selectors {
			if m.Name == model.MetricNameLabel && !exported[m.Value] {
				t.Errorf("%s: no collector exports %s", expr, m.Value)
			}
		}
	}
}

// scrapes is the number of scrapes, which are interval apart.
const (
	scrapes  = 40
	interval = 15 * time.Second
)

// samples scrapes a broadcaster while it records. It returns the names of the metrics, and the time
// of the last scrape.
func samples(t *testing.T, store storage.Storage) (exported map[string]bool, at time.Time) {
	var filter eventfilter.Filter
	if err := filter.Set("drop name=noisy"); err != nil {
		t.Fatal(err)
	}
	b, err := broadcaster.New(broadcaster.Options{Sink: refusing{memory.New()}, Filter: &filter})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Shutdown(context.Background()) })
	b.Attach(broadcaster.Subscriber{Name: "log", Show: func(eventrt.Event) {}})
	definitions := []*eventrt.Definition{definition("Started", eventrt.Normal), definition("Failed", eventrt.Warning)}
	c, err := metrics.New(b, metrics.Options{Definitions: definitions})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	at, exported = time.Unix(1_700_000_000, 0), map[string]bool{}
	for range scrapes {
		for _, name := range []string{"web", "refused", "noisy"} {
			for _, d := range definitions {
				b.Publish(eventrt.NewEvent(d, eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "ns", Name: name}), eventrt.ObjectRef{}))
			}
		}
		at = at.Add(interval)
		scrape(t, store, registry, at, exported)
	}
	return exported, at
}

func definition(reason, of string) *eventrt.Definition {
	return &eventrt.Definition{Name: reason, Reason: reason, Type: of, Message: []eventrt.Segment{{Text: reason}},
		Subject: eventrt.Subject{ReportingController: "example.com/widgets"}}
}

// refusing refuses the events about one object.
type refusing struct{ sink.Sink }

func (r refusing) Write(ctx context.Context, w *sink.Write) sink.Answer {
	if w.Regarding.Name == "refused" {
		return sink.Answer{Outcome: sink.Refused, Err: errors.New("refused")}
	}
	return r.Sink.Write(ctx, w)
}

// scrape stores what a registry exports, as Prometheus does.
func scrape(t *testing.T, store storage.Storage, registry *prometheus.Registry, at time.Time, exported map[string]bool) {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	app := store.Appender(t.Context())
	add := func(name string, value float64, of []*dto.LabelPair, more ...string) {
		exported[name] = true
		set := map[string]string{model.MetricNameLabel: name, "namespace": "ns", "job": "widgets", "pod": "widgets-0", "instance": "10.0.0.1:8080"}
		for _, l := range of {
			set[l.GetName()] = l.GetValue()
		}
		for pair := range slices.Chunk(more, 2) {
			set[pair[0]] = pair[1]
		}
		maps.DeleteFunc(set, func(_, v string) bool { return v == "" })
		if _, err := app.Append(0, labels.FromMap(set), at.UnixMilli(), value); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			switch name := f.GetName(); f.GetType() {
			case dto.MetricType_COUNTER:
				add(name, m.GetCounter().GetValue(), m.GetLabel())
			case dto.MetricType_GAUGE:
				add(name, m.GetGauge().GetValue(), m.GetLabel())
			case dto.MetricType_HISTOGRAM:
				h := m.GetHistogram()
				for _, b := range h.GetBucket() {
					add(name+"_bucket", float64(b.GetCumulativeCount()), m.GetLabel(), "le", fmt.Sprint(b.GetUpperBound()))
				}
				add(name+"_bucket", float64(h.GetSampleCount()), m.GetLabel(), "le", "+Inf")
				add(name+"_count", float64(h.GetSampleCount()), m.GetLabel())
				add(name+"_sum", h.GetSampleSum(), m.GetLabel())
			default:
				t.Fatalf("%s is a %s", name, f.GetType())
			}
		}
	}
	if err := app.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestPrintedQueries lets event-gen breaking print the queries for the events of the samples, by
// removing them: each query on the recorder's own metric finds one series.
func TestPrintedQueries(t *testing.T) {
	dir := t.TempDir()
	catalog := func(name, events string) string {
		path := filepath.Join(dir, name)
		text := "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: p}\n" +
			"  reportingController: example.com/widgets\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n  events:\n" + events
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	old := catalog("old.yaml", "  - {reason: Started, message: \"Started\"}\n  - {reason: Failed, type: Warning, message: \"Failed\"}\n")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/event-gen", "breaking", "--category=WIRE", "--format=json", "--against="+old,
		catalog("now.yaml", "  - {reason: Unrelated, message: \"something else\"}\n"))
	// in the root's workspace, which this module is not in
	cmd.Dir, cmd.Env = "../..", append(os.Environ(), "GOWORK=", "GOFLAGS=")
	out, err := cmd.Output()
	if err == nil {
		t.Fatal("the removal of all events breaks nothing")
	}
	store := teststorage.New(t)
	_, end := samples(t, store)
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1e6, Timeout: time.Minute})
	t.Cleanup(func() { engine.Close() })
	queries := 0
	for line := range strings.Lines(string(out)) {
		var finding struct{ Before struct{ PromQL []string } }
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for _, expr := range finding.Before.PromQL {
			if !strings.Contains(expr, "event_gen_") {
				continue
			}
			queries++
			query, err := engine.NewInstantQuery(t.Context(), store, nil, expr, end)
			if err != nil {
				t.Fatalf("%s: %v", expr, err)
			}
			if vector, err := query.Exec(t.Context()).Vector(); err != nil || len(vector) != 1 {
				t.Errorf("%s finds %d series (%v)", expr, len(vector), err)
			}
		}
	}
	if queries != 2 {
		t.Errorf("%d queries for 2 events: %s", queries, out)
	}
}
