package scenario

import (
	"fmt"
	"time"

	"github.com/event-gen/event-gen/benchmarks/internal/command"
	"github.com/event-gen/event-gen/benchmarks/internal/measure"
	"github.com/event-gen/event-gen/benchmarks/internal/report"
)

const (
	few  = "1,000 events"
	many = "10,000 events"
)

// commandRuns are the runs of the command that are measured.
var commandRuns = []struct {
	name  string
	codes []int
	args  func(size string) []string
	ready func(t *command.Tool, size string) error
}{
	{"generate", []int{0}, func(size string) []string { return []string{"generate", file(size)} },
		func(t *command.Tool, size string) error { return t.Delete(pkg(size)) }},
	{"generate --check", []int{0}, func(size string) []string { return []string{"generate", "--check", file(size)} }, nil},
	{"lint, 20 files", []int{0}, func(size string) []string { return []string{"lint", folder(size)} }, nil},
	{"breaking", []int{0, 1}, func(size string) []string {
		return []string{"breaking", "--against=old-" + file(size), file(size)}
	}, nil},
}

func pkg(size string) string    { return "events" + fmt.Sprint(entries(size)) }
func file(size string) string   { return pkg(size) + ".yaml" }
func folder(size string) string { return "many-" + pkg(size) }

func entries(size string) int {
	if size == many {
		return 10_000
	}
	return 1_000
}

// Commands measures event-gen itself, from process start to exit.
func Commands(cfg Config) report.Result {
	var s measure.Series
	if err := runCommands(cfg, &s); err != nil {
		return report.Result{Verdicts: []report.Verdict{{Scenario: "the command", Threshold: "runs", Measured: err.Error()}}}
	}
	var figures []figure
	for _, r := range commandRuns {
		figures = append(figures, figure{name: wallOf(r.name)}, figure{name: memoryOf(r.name)})
	}
	return report.Result{
		Tables: []report.Table{table("The command, from process start to exit", &s, []string{few, many}, figures,
			"No types are loaded: the kinds are of k8s.io/api. lint reads the events from 20 files; breaking compares with a catalog of other messages.")},
		Verdicts: []report.Verdict{
			commandVerdict(&s, "generate", few, 120*time.Millisecond, 150),
			commandVerdict(&s, "generate --check", few, 120*time.Millisecond, 150),
			commandVerdict(&s, "generate", many, 2*time.Second, 0),
			commandVerdict(&s, "lint, 20 files", few, 60*time.Millisecond, 0),
			commandVerdict(&s, "lint, 20 files", many, 1500*time.Millisecond, 300),
			commandVerdict(&s, "breaking", few, 400*time.Millisecond, 0),
		},
	}
}

func wallOf(run string) string   { return run + ", ms" }
func memoryOf(run string) string { return run + ", MB resident" }

func runCommands(cfg Config, s *measure.Series) error {
	t, err := command.New()
	if err != nil {
		return err
	}
	defer t.Remove()
	for _, size := range []string{few, many} {
		if err := writeCatalogs(t, size); err != nil {
			return err
		}
	}
	for range cfg.Rounds {
		for _, size := range []string{few, many} {
			if err := turn(t, s, size); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn runs each command once.
func turn(t *command.Tool, s *measure.Series, size string) error {
	for _, r := range commandRuns {
		if r.ready != nil {
			if err := r.ready(t, size); err != nil {
				return err
			}
		}
		cost, err := t.Run(r.codes, r.args(size)...)
		if err != nil {
			return err
		}
		s.Add(wallOf(r.name), size, float64(cost.Wall.Microseconds())/1000)
		s.Add(memoryOf(r.name), size, float64(cost.Bytes)/1e6)
	}
	return nil
}

func writeCatalogs(t *command.Tool, size string) error {
	if err := t.Write(file(size), command.Catalog(pkg(size), entries(size), "Something happened")); err != nil {
		return err
	}
	if err := t.Write("old-"+file(size), command.Catalog(pkg(size), entries(size), "Something has happened")); err != nil {
		return err
	}
	for n := range 20 {
		name := fmt.Sprintf("part%d", n)
		if err := t.Write(folder(size)+"/"+name+".yaml", command.Catalog(pkg(size)+name, entries(size)/20, "Something happened")); err != nil {
			return err
		}
	}
	return nil
}

func commandVerdict(s *measure.Series, run, size string, most time.Duration, megabytes float64) report.Verdict {
	wall, memory := s.Median(wallOf(run), size), s.Median(memoryOf(run), size)
	v := report.Verdict{
		Scenario:  "event-gen " + run + ", " + size,
		Threshold: fmt.Sprintf("within %v", most),
		Measured:  report.Number(wall) + " ms, " + report.Number(memory) + " MB",
		State:     report.Is(wall <= float64(most.Milliseconds()) && (megabytes == 0 || memory <= megabytes)),
	}
	if megabytes > 0 {
		v.Threshold += fmt.Sprintf(" and %.0f MB", megabytes)
	}
	return v
}
