package scenario

import (
	"fmt"

	"github.com/event-gen/event-gen/benchmarks/internal/correlating"
	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// recordDefault is tools/record with its cache of 4096 entries, recordLarge with one that holds all objects.
const (
	recordDefault = "record, its cache of 4096"
	recordLarge   = "record, cache of 1,048,576"
)

var correlateColumns = []string{recordDefault, recordLarge, systems.EventGen}

var correlateObjects = []int{1, 1000, 100_000}

func correlateFigure(kind string, objects int) string {
	return fmt.Sprintf("%s, %s objects, ns", kind, report.Number(float64(objects)))
}

// Correlate measures what it costs to find out what an occurrence means and to make the patch for it.
func Correlate(cfg Config) report.Result {
	var s measure.Series
	for _, objects := range correlateObjects {
		correlateAt(&s, cfg, objects)
	}
	var figures []figure
	for _, kind := range correlating.Kinds {
		for _, objects := range correlateObjects {
			figures = append(figures, figure{correlateFigure(kind.Name, objects), report.Lower})
		}
	}
	figures = append(figures, figure{patched, report.Higher})
	return report.Result{
		Tables: []report.Table{table("Correlate: one occurrence", &s, correlateColumns, figures,
			"`record`: EventCorrelate, which makes the patch, and UpdateState, on a copy of the event, with budgets off so that every occurrence is written. `event-gen`: making the event, Observe, Next, the patch's bytes where there is one, and Done, with a schedule that has every occurrence written. tools/events has no such part of its own. *repeat*: the occurrence is one of an event that exists. *distinct*: its text is new, aggregation is off. *similar*: its text is new and folds into the aggregate of its object; record leaves the same out where a cache of 4096 has forgotten the object.")},
		Verdicts: []report.Verdict{correlateVerdict(&s)},
		Panels:   []report.Panel{correlatePanel(&s)},
	}
}

const patched = "repeat, 100,000 objects: patches made, %"

// correlateAt measures all kinds with so many live objects. Each contender is filled once and then takes turns.
func correlateAt(s *measure.Series, cfg Config, objects int) {
	n := cfg.pick(5_000, 2_000)
	for _, kind := range correlating.Kinds {
		contenders := map[string]correlating.Contender{
			recordDefault:    correlating.NewRecord(kind, objects, n*cfg.Rounds, 0),
			recordLarge:      correlating.NewRecord(kind, objects, n*cfg.Rounds, 1<<20),
			systems.EventGen: correlating.NewEventGen(kind, objects, n*cfg.Rounds),
		}
		for range cfg.Rounds {
			for _, name := range correlateColumns {
				c := contenders[name]
				before := c.Patches()
				s.Add(correlateFigure(kind.Name, objects), name, correlating.Time(c, n))
				if kind == correlating.Repeat && objects == 100_000 {
					s.Add(patched, name, 100*float64(c.Patches()-before)/float64(n))
				}
			}
		}
	}
}

func correlateVerdict(s *measure.Series) report.Verdict {
	repeat := correlating.Repeat.Name
	one := s.Ratio(correlateFigure(repeat, 1), recordLarge, systems.EventGen)
	thousand := s.Ratio(correlateFigure(repeat, 1000), recordLarge, systems.EventGen)
	growth := s.RatioOf(correlateFigure(repeat, 100_000), correlateFigure(repeat, 1000), systems.EventGen)
	return report.Verdict{
		Scenario:  "correlate a repeat: Observe + Next + patch bytes, every occurrence written",
		Threshold: "40× less; 100,000 live objects within 1.5× of 1,000",
		Measured:  fmt.Sprintf("1 object %s, 1,000 objects %s; 100,000 objects %s of 1,000", times(one), times(thousand), times(growth)),
		State:     report.Is(one.Value >= 40 && thousand.Value >= 40 && growth.Value <= 1.5),
	}
}

func correlatePanel(s *measure.Series) report.Panel {
	f := correlateFigure(correlating.Repeat.Name, 1000)
	return report.Panel{
		Title: "Correlate a repeat, patch included", Unit: "ns", Better: report.Lower,
		Names:  []string{systems.Record, systems.EventGen},
		Values: []float64{s.Median(f, recordDefault), s.Median(f, systems.EventGen)},
	}
}
