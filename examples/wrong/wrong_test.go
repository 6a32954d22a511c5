// Package wrong holds programs that must not compile: make demo shows what the compiler says of them.
package wrong

import (
	"os/exec"
	"strings"
	"testing"
)

func TestTheCompilerSaysWhatIsWrong(t *testing.T) {
	for program, says := range map[string]string{
		"misspelt": "events.UnexpctedJob undefined (type cronjobevents.Recorder has no field or method UnexpctedJob",
		"kind":     ".CronJob value in argument to events.JobAlreadyActive",
	} {
		out, err := exec.Command("go", "build", "./testdata/"+program).CombinedOutput()
		if err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%s: expected the compiler to say %q, found %v:\n%s", program, says, err, out)
		}
	}
}
