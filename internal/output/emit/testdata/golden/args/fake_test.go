package args

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/args/argsevents"
	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/args/argsevents/argseventstest"
)

// report is a test that fails.
type report struct{ strings.Builder }

func (*report) Helper() {}
func (r *report) Errorf(format string, args ...any) {
	fmt.Fprintf(r, format, args...)
}

func TestFake(t *testing.T) {
	reports := &report{}
	fake := argseventstest.New(reports)
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "d"}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	fake.Recorder().ScaleFailed(d, node, argsevents.ScaleFailedArgs{From: 1, To: 2, Cause: errors.New("no")})

	for name, ok := range map[string]bool{
		"all":      fake.ExpectContains(argseventstest.MatchScaleFailed(d, node, argseventstest.ArgsOfScaleFailed{From: 1, To: 2, Cause: errors.New("no")})),
		"some":     fake.ExpectContains(argseventstest.MatchScaleFailed(d, nil, argseventstest.ArgsOfScaleFailed{To: argseventstest.Any, From: int32(1)})),
		"typed":    fake.ExpectContains(argsevents.NewScaleFailed(d, node, argsevents.ScaleFailedArgs{From: 1, To: 2, Cause: errors.New("no")})),
		"anything": fake.ExpectContains(argseventstest.MatchScaleFailed(nil, nil, argseventstest.ArgsOfScaleFailed{})),
	} {
		if !ok {
			t.Errorf("%s: %s", name, reports)
		}
	}
	if fake.ExpectContains(argseventstest.MatchScaleFailed(d, node, argseventstest.ArgsOfScaleFailed{To: 3})) || fake.ExpectContains(argseventstest.MatchPlain(d)) {
		t.Error("what was not recorded is found")
	}
	for _, want := range []string{`param to: expected 3, recorded "2"`, "- name Plain"} {
		if !strings.Contains(reports.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, reports)
		}
	}
	if !fake.ExpectExactly(argseventstest.MatchScaleFailed(d, node, argseventstest.ArgsOfScaleFailed{})) {
		t.Error("a matcher does not match")
	}
}
