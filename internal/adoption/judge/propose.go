package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/propose"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// mostMends bounds the rounds of mending a proposal.
const mostMends = 12

// Proposed proposes a catalog without errors. It simplifies an event that lint refuses; if that
// does not help, it leaves the event out and reports it. It suppresses warnings about reasons,
// types and texts that the program records already, and gives that as the reason.
func Proposed(ctx context.Context, r *scan.Result, o propose.Options, file string) (*propose.Catalog, []byte, error) {
	o.Plain, o.Without, o.Untyped = map[string]bool{}, map[string]string{}, map[string]bool{}
	o.Ignored = map[string][]any{}
	for range mostMends {
		c := propose.From(r, o)
		if len(c.Events) == 0 {
			return nil, nil, errors.New("nothing to propose: " + nothing(c, o.Dir))
		}
		text := c.YAML()
		errs, warnings := judgeText(ctx, file, text)
		switch {
		case len(errs) > 0:
			if !mend(&o, c, errs) {
				return nil, nil, fmt.Errorf("the proposed catalog has an error that event-gen can't mend: %s", errs[0])
			}
		case !quiet(&o, c, warnings):
			return c, text, nil
		}
	}
	return nil, nil, errors.New("the proposed catalog has errors that event-gen can't mend")
}

func nothing(c *propose.Catalog, dir string) string {
	if len(c.Left) == 0 {
		return "no calls of event recorders were found"
	}
	return c.Left[0].Text(dir)
}

// judgeText returns the errors and the warnings of a catalog, as lint is configured.
func judgeText(ctx context.Context, file string, text []byte) (errs, warnings diag.Findings) {
	config, _ := discovery.Configuration(discovery.Disk{})
	settings, _ := lint.NewSettings(config)
	catalogs, findings := catalog.Read(file, bytes.NewReader(text))
	set, more := model.Build(ctx, catalogs, model.Options{Resolve: model.ResolveAuto})
	findings = append(findings, more...)
	for _, f := range lint.Run(lint.Input{Catalogs: catalogs, Set: set, Found: findings, Settings: settings}) {
		switch f.Severity {
		case diag.Error:
			errs = append(errs, f)
		case diag.Warning:
			warnings = append(warnings, f)
		}
	}
	return errs, warnings
}

// recorded are the rules about reasons, types, texts and arguments. A proposed catalog keeps these
// as the program records them.
var recorded = []string{
	diag.SimilarReasons, diag.ReasonWithBothTypes, diag.CamelCase, diag.TypeAgainstReason, diag.LeftoverVerb, diag.AlikeNeighbours,
	diag.IntentAndDeed,
}

// quiet changes a proposal so that it has fewer warnings. It reports whether it changed anything.
func quiet(o *propose.Options, c *propose.Catalog, warnings diag.Findings) bool {
	changed := false
	for _, f := range warnings {
		event := ""
		if owner, known := c.OwnerOf(f.Pos.Line); known {
			event = owner.Event
		}
		switch {
		case f.Rule == diag.NoDoc && !o.Document:
			o.Document, changed = true, true
		case event == "":
		case slices.Contains(recorded, f.Rule) && !slices.Contains(o.Ignored[event], any(f.Rule)):
			o.Ignored[event], changed = append(o.Ignored[event], f.Rule), true
		}
	}
	return changed
}

// mend simplifies or leaves out the events and objects with errors. It reports whether it changed
// anything.
func mend(o *propose.Options, c *propose.Catalog, errs diag.Findings) bool {
	changed := false
	for _, f := range errs {
		owner, known := c.OwnerOf(f.Pos.Line)
		switch {
		case !known:
		case owner.Object != "" && !o.Untyped[owner.Object]:
			o.Untyped[owner.Object], changed = true, true
		case owner.Event == "":
		case !o.Plain[owner.Event] && f.Rule != diag.DuplicateEvent:
			o.Plain[owner.Event], changed = true, true
		case o.Without[owner.Event] == "":
			o.Without[owner.Event], changed = fmt.Sprintf("%s [%s]", f.Message, f.Rule), true
		}
	}
	return changed
}
