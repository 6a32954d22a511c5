package metrics_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/metrics"
)

// TestMetricsAreDocumented holds the names in docs and alerts to those that there are. The
// reference has all of them.
func TestMetricsAreDocumented(t *testing.T) {
	b := start(t, broadcaster.Options{Sink: target{}})
	t.Cleanup(func() { _ = b.Shutdown(t.Context()) })
	c, err := metrics.New(b, metrics.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	described := make(chan *prometheus.Desc, 100)
	c.Describe(described)
	close(described)
	exist, documented := map[string]bool{}, map[string]bool{}
	for desc := range described {
		exist[regexp.MustCompile(`fqName: "(\w+)"`).FindStringSubmatch(desc.String())[1]] = true
	}
	reference := "docs/operating-reference.md"
	for _, page := range []string{"docs/operating.md", "docs/adopting.md", "monitoring/rules.yaml", "monitoring/dashboard.json", reference} {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bevent_gen_\w+`).FindAllString(string(text), -1) {
			documented[name] = page == reference
			if base := regexp.MustCompile(`_(bucket|count|sum)$`).ReplaceAllString(name, ""); !exist[base] && !exist[name] {
				t.Errorf("%s: there is no metric %s", page, name)
			}
		}
	}
	for name := range exist {
		if !documented[name] {
			t.Errorf("%s lacks %s", reference, name)
		}
	}
}
