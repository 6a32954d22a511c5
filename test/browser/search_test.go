package browser

import (
	"strings"
	"testing"
)

func TestSearch(t *testing.T) {
	p := open(t, makePage(t, examples...))
	all := p.shown()
	if len(all) < 100 {
		t.Fatalf("only %d entries are shown at first", len(all))
	}
	for query, want := range map[string]string{
		"BackoffLimitExceeded": "BackoffLimitExceeded.jobevents.Failed.BackoffLimitExceeded",
		"backofflimit":         "BackoffLimitExceeded.jobevents.Failed.BackoffLimitExceeded",
		"crashloopbackoff":     "BackOff.containerevents.CrashBackOff",
		// messages as they are stored
		`Failed to pull image "nginx:lates": rpc error: code = NotFound`:                                                  "Failed.containerevents.PullFailed",
		"Scaled up replica set web-5d4f from 0 to 3":                                                                      "ScalingReplicaSet.deploymentevents.ScalingReplicaSet",
		"(combined from similar events): Scaled down replica set web-5d4f from 3 to 0":                                    "ScalingReplicaSet.deploymentevents.ScalingReplicaSet",
		"Back-off restarting failed container web in pod web-0_shop(5e7b4c1e)":                                            "BackOff.containerevents.CrashBackOff",
		"Cannot scale from 3 to 5 on node-1: quota; hint: ask":                                                            "QuotaExceeded.widgetevents.QuotaExceeded",
		"Create Claim data-web-0 for Pod web-0 in StatefulSet web failed error: forbidden":                                "FailedCreate.statefulsetevents.ClaimFailed",
		"  Warning  Failed  3m (x4 over 5m)  kubelet  Error: secret \"token\" not found":                                  "Failed.containerevents.ContainerFailed",
		"  Warning  BackoffLimitExceeded  12s  job-controller  Job has reached the specified backoff limit":               "BackoffLimitExceeded.jobevents.Failed.BackoffLimitExceeded",
		"Warning\tFailedCreate\t3m\treplicaset-controller\tError creating: pods \"web-\" is forbidden: exceeded quota: q": "FailedCreate.replicasetevents.FailedCreate",
	} {
		p.search(query)
		if got := p.shown(); len(got) == 0 || got[0] != want {
			t.Errorf("%s: shown is %v, want %s first", query, got[:min(len(got), 5)], want)
		}
	}
	p.search("")
	if got := p.shown(); strings.Join(got, " ") != strings.Join(all, " ") {
		t.Error("without a query, the order is another one than at first")
	}
}

func TestPastedMessageHidesTheRest(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.search(`Failed to pull image "nginx:lates": not found`)
	p.checkShown("Failed.containerevents.PullFailed")
	if got, all := p.status(), len(p.allEntries()); !strings.HasPrefix(got, "1 of ") || all < 100 {
		t.Errorf("the status is %q, of %d", got, all)
	}
}

func TestNothingFound(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.search("zyzzyva")
	p.checkShown()
	if !eval[bool](p, `document.getElementById("ui/none").checkVisibility()`) {
		t.Error("nothing says that nothing was found")
	}
	p.run(click("clear"))
	if len(p.shown()) != len(p.allEntries()) {
		t.Error("Clear does not show all again")
	}
}

func TestFilters(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.choose("kind", "Node")
	p.checkShown("QuotaExceeded.widgetevents.QuotaExceeded")
	p.choose("type", "Normal")
	p.checkShown()
	p.choose("kind", "CronJob")
	for _, id := range p.shown() {
		if !eval[bool](p, `document.getElementById("`+id+`").matches('[data-type="Normal"]')`) || !strings.Contains(id, ".cronjobevents.") {
			t.Errorf("%s is shown", id)
		}
	}
	if n := len(p.shown()); n != 5 {
		t.Errorf("%d normal events of a CronJob, want 5", n)
	}
	p.search("job went missing")
	p.checkShown("MissingJob.cronjobevents.MissingJob")

	p.run(click("clear"))
	p.choose("deprecated", "yes")
	p.search("quota allows")
	p.checkShown("TooManyWidgets.widgetevents.TooManyWidgets")
	p.choose("deprecated", "no")
	p.checkShown()
}
