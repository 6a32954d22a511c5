package emit_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// The compiler finds mistakes of callers. Each body is type-checked against the generated packages
// of the examples.
func TestMistakesDoNotCompile(t *testing.T) {
	tests := []struct {
		name string
		body string
		want string // the compiler's error; empty: it compiles
	}{
		{"correct", `cron.FailedCreate(cronJob, err); job.Failed(aJob, jobevents.FailedOutcomeDeadlineExceeded, "x")`, ""},
		{"misspelt reason", `cron.FaildCreate(cronJob, err)`, "cron.FaildCreate undefined (type cronjobevents.Recorder has no field or method FaildCreate)"},
		{"misspelt constant", `_ = cronjobevents.ReasonFaildCreate`, "undefined: cronjobevents.ReasonFaildCreate"},
		{"wrong kind", `cron.FailedCreate(aJob, err)`, "cannot use aJob (variable of type *\"k8s.io/api/batch/v1\".Job) as *\"k8s.io/api/batch/v1\".CronJob value in argument to cron.FailedCreate"},
		{"wrong related kind", `cron.SuccessfulCreate(cronJob, cronJob)`, "cannot use cronJob (variable of type *\"k8s.io/api/batch/v1\".CronJob) as *\"k8s.io/api/batch/v1\".Job value in argument to cron.SuccessfulCreate"},
		{"missing param", `cron.FailedCreate(cronJob)`, "not enough arguments in call to cron.FailedCreate"},
		{"wrong param type", `cron.FailedCreate(cronJob, "boom")`, `cannot use "boom" (constant of type string) as error value in argument to cron.FailedCreate`},
		{"wrong enum value", `job.Failed(aJob, jobevents.FailedOutcomeDeadlineMissed, "x")`, "undefined: jobevents.FailedOutcomeDeadlineMissed"},
		{"value of no enum", `reason := "DeadlineExceeded"; job.Failed(aJob, reason, "x")`, "cannot use reason (variable of type string) as jobevents.FailedOutcome value in argument to job.Failed"},
		{"misspelt text of an enum", `job.Failed(aJob, "DeadlineExeeded", "x")`, `cannot use "DeadlineExeeded" (untyped string constant) as jobevents.FailedOutcome value in argument to job.Failed`},
		{"text of an enum", `job.Failed(aJob, "DeadlineExceeded", "x")`, `cannot use "DeadlineExceeded" (untyped string constant) as jobevents.FailedOutcome value in argument to job.Failed`},
		{"wrong constructor argument", `cron.Emit(cronjobevents.NewMissingJob(cronJob, aJob))`, "cannot use aJob (variable of type *\"k8s.io/api/batch/v1\".Job) as string value in argument to cronjobevents.NewMissingJob"},
	}
	bodies := make([]string, len(tests))
	for i, tt := range tests {
		bodies[i] = tt.body
	}
	got := typeCheck(t, bodies)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			switch {
			case tt.want == "" && got[i] != "":
				t.Errorf("it should compile, but: %s", got[i])
			case tt.want != "" && !strings.Contains(got[i], tt.want):
				t.Errorf("the compiler says %q, want %q", got[i], tt.want)
			}
		})
	}
}

// typeCheck type-checks each body in a function in a package of its own, all in one load, and
// returns the errors.
func typeCheck(t *testing.T, bodies []string) []string {
	t.Helper()
	overlay := map[string][]byte{}
	var patterns []string
	for i, body := range bodies {
		dir, err := filepath.Abs(fmt.Sprintf("testdata/use%d", i))
		if err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(dir, "use.go")] = []byte(fmt.Sprintf(useTemplate, i, body))
		patterns = append(patterns, fmt.Sprintf("./testdata/use%d", i))
	}
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax |
		packages.NeedTypesInfo | packages.NeedExportFile
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Overlay: overlay}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	errors := make([]string, len(bodies))
	for _, pkg := range pkgs {
		var i int
		if _, err := fmt.Sscanf(pkg.Name, "use%d", &i); err != nil {
			t.Fatal(pkg.PkgPath, pkg.Errors)
		}
		for _, e := range pkg.Errors {
			errors[i] += e.Msg + "\n"
		}
	}
	return errors
}

const useTemplate = `package use%d

import (
	batchv1 "k8s.io/api/batch/v1"

	"github.com/event-gen/event-gen/examples/cronjobevents"
	"github.com/event-gen/event-gen/examples/jobevents"
)

func use(cron cronjobevents.Recorder, job jobevents.Recorder, cronJob *batchv1.CronJob, aJob *batchv1.Job, err error) {
	%s
}
`
