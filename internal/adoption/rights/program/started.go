package program

import (
	"maps"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/rights"
)

// starters are the methods that let a broadcaster write, or somebody who watches it.
var starters = []string{"StartRecordingToSink", "StartRecordingToSinkWithContext", "StartEventWatcher"}

// onlyLogs reports whether a need is that of a broadcaster, and nothing that runs can start one of
// its kind with a sink: no method of its package, or of an interface of the program's own, and no
// manager of controller-runtime, which starts the broadcaster in its options.
func onlyLogs(n rights.Need, running []*node) bool {
	made := slices.ContainsFunc(slices.Collect(maps.Keys(facts.Constructors)), func(name string) bool {
		return short(name) == n.What && facts.Constructors[name].Broadcaster
	})
	other := map[string]string{rights.CoreGroup: facts.ClientEvents, rights.EventsGroup: facts.ClientRecord}[n.Group]
	starts := func(name string) bool {
		_, manager := facts.ManagerMakers[name]
		method := name[strings.LastIndex(name, ".")+1:]
		return manager || slices.Contains(starters, method) && !strings.HasPrefix(name, other+".")
	}
	return made && !slices.ContainsFunc(running, func(n *node) bool { return slices.ContainsFunc(n.names, starts) })
}
