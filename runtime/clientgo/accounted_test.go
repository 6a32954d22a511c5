package clientgo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// restated names, for each test of client-go v0.37.2's tools/record and tools/events, the tests
// here that restate its cases.
var restated = map[string][]string{
	"record/TestMain":                                   {"TestMain"},
	"record/TestBroadcasterShutdown":                    {"TestBroadcasterEndsWithItsContext"},
	"record/TestStartEventWatcherExitsOnDirectShutdown": {"TestBroadcasterEndsWithItsContext"},
	"record/TestNonRacyShutdown":                        {"TestConcurrentUse"},
	"record/TestEventf":                                 {"TestEventf", "TestCoreEventsAreThoseOfClientGo"},
	"record/TestMultiSinkCache":                         {"TestEventf"},
	"record/TestEventfNoNamespace":                      {"TestUnknownTypes", "TestCoreEventsAreThoseOfClientGo"},
	"record/TestWriteEventError":                        {"TestWriteErrors"},
	"record/TestUpdateExpiredEvent":                     {"TestCoreEventsAreThoseOfClientGo"},
	"record/TestCancelEvent":                            {"TestShutdownGivesUp"},
	"record/TestLotsOfEvents":                           {"TestWriteErrors", "TestConcurrentUse"},
	"record/TestEventCorrelator":                        {"TestCoreEventsAreThoseOfClientGo"},
	"record/TestEventSpamFilter":                        {"TestCorrelatorOptionsHaveEffects"},
	"events/TestRecordEventToSink":                      {"TestSeries", "TestEventsAreMadeAsClientGoMakesThem"},
	"events/TestEventf":                                 {"TestEventsAreMadeAsClientGoMakesThem"},
	"events/TestEventSeriesf":                           {"TestSeries"},
	"events/TestEventSeriesWithEventSinkImplRace":       {"TestAdapter", "TestConcurrentUse"},
	"events/TestFinishSeries":                           {"TestEventsAreThoseOfClientGo"},
	"events/TestRefreshExistingEventSeries":             {"TestEventsAreThoseOfClientGo"},
	// of v0.38.0-alpha.2
	"events/TestFinishSeriesConcurrentCacheUpdate":               {"TestLateArrivals", "TestConcurrentUse"},
	"events/TestRefreshExistingEventSeriesConcurrentCacheUpdate": {"TestLateArrivals", "TestConcurrentUse"},
	"events/TestSeriesHousekeepingWithConcurrentRecordToSink":    {"TestLateArrivals", "TestConcurrentUse"},
}

// leftOut names what is not restated, tests and single cases of tests, with the reason.
var leftOut = map[string]string{
	"record/TestEventAggregatorByReasonFunc":        "tests a function of client-go that the drop-in neither has nor calls; TestCoreEventsAreThoseOfClientGo shows its effect",
	"record/TestEventAggregatorByReasonMessageFunc": "tests a function of client-go that the drop-in neither has nor calls; TestCoreEventsAreThoseOfClientGo shows its effect",
	"events/TestGetFieldSelector":                   "tests a helper for those who list events, which is no part of recording",

	"record/TestWriteEventError/giveUp2":                                          "a status is no reason to give up: 429 and 5xx are tried again, as is the case's status without a code; final ones are cases of TestWriteErrors",
	"record/TestWriteEventError/retry1,retry2":                                    "12 attempts: the drop-in does not give up before Shutdown; TestWriteErrors has 20 failures and a success",
	"record/TestCancelEvent/one more try":                                         "after the end of the context there are 10 s of tries, after ShutdownWithContext none beyond its context; what is lost is counted",
	"record/TestEventCorrelator/the-same-event-is-spam-if-happens-too-frequently": "nothing is filtered: TestCorrelatorOptionsHaveEffects has a repeat",
	"record/TestEventSpamFilter/event should be reported as spam if object reference is the same for default spam filter":               "budgets are per reason, so that it is stored; TestCorrelatorOptionsHaveEffects",
	"record/TestEventSpamFilter/event should  be reported as spam if object reference and reason is the same, but message is different": "it is aggregated and is stored; TestCorrelatorOptionsHaveEffects",
	"events/TestRecordEventToSink/record one isomorphic Event before the original":                                                      "no call of a recorder leads there: the first event of an identity is created without a series, or with one that stands for all until then",
	"events/TestRefreshExistingEventSeries/30 minutes":                                                                                  "a series that goes on is written at most 5 minutes apart, so that there is no refresh of its own",
}

// TestEveryCaseOfClientGoIsAccountedFor finds tests of the client-go at hand that neither table
// names.
func TestEveryCaseOfClientGoIsAccountedFor(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/client-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := testsIn(t, ".")
	for _, pkg := range []string{"record", "events"} {
		theirs := testsIn(t, filepath.Join(strings.TrimSpace(string(dir)), "tools", pkg))
		if len(theirs) == 0 {
			t.Fatalf("no tests found of client-go's tools/%s", pkg)
		}
		for name := range theirs {
			name = pkg + "/" + name
			if len(restated[name]) == 0 && leftOut[name] == "" {
				t.Errorf("client-go's %s is neither restated nor left out for a reason", name)
			}
		}
	}
	for theirs, names := range restated {
		for _, name := range names {
			if !ours[name] {
				t.Errorf("%s is said to be restated by %s, which there is not", theirs, name)
			}
		}
	}
	for name, reason := range leftOut {
		t.Logf("left out: %s: %s", name, reason)
	}
}

func testsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}
