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

// Proposed proposes a catalog without errors, in at most three texts. In the second it simplifies
// the events that lint refuses in the first, and in the third it leaves out and reports those that
// lint still refuses. It suppresses warnings about reasons, types and texts that the program
// records already, and gives that as the reason.
func Proposed(ctx context.Context, r *scan.Result, o propose.Options, file string) (*propose.Catalog, []byte, error) {
	o.Plain, o.Without, o.Untyped = map[string]bool{}, map[string]string{}, map[string]bool{}
	o.Ignored = map[string][]any{}
	for _, remedy := range []func(*propose.Options, propose.Owner, diag.Finding){simplify, leaveOut, nil} {
		c := propose.From(r, o)
		if len(c.Events) == 0 {
			return nil, nil, errors.New("nothing to propose: " + nothing(c, o.Dir))
		}
		text := c.YAML()
		errs, warnings := judgeText(ctx, file, text)
		refused := map[string]bool{}
		for _, f := range errs {
			owner, known := c.OwnerOf(f.Pos.Line)
			if !known || remedy == nil {
				return nil, nil, fmt.Errorf("the proposed catalog has an error that event-gen can't mend: %s", f)
			}
			remedy(&o, owner, f)
			refused[owner.Event] = true
		}
		if !quiet(&o, c, warnings, refused) && len(errs) == 0 || remedy == nil {
			return c, text, nil
		}
	}
	panic("the last round has no remedy")
}

// simplify makes one text of an event's arguments, or an object of any kind of an object. Nothing
// makes two events out of one that is recorded twice.
func simplify(o *propose.Options, owner propose.Owner, f diag.Finding) {
	switch {
	case owner.Object != "":
		o.Untyped[owner.Object] = true
	case f.Rule == diag.DuplicateEvent:
		leaveOut(o, owner, f)
	default:
		o.Plain[owner.Event] = true
	}
}

func leaveOut(o *propose.Options, owner propose.Owner, f diag.Finding) {
	o.Without[owner.Event] = fmt.Sprintf("%s [%s]", f.Message, f.Rule)
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

// quiet changes a proposal so that it has fewer warnings, apart from those about refused events. It
// reports whether it changed anything.
func quiet(o *propose.Options, c *propose.Catalog, warnings diag.Findings, refused map[string]bool) bool {
	changed := false
	for _, f := range warnings {
		owner, _ := c.OwnerOf(f.Pos.Line)
		switch event := owner.Event; {
		case f.Rule == diag.NoDoc && !o.Document:
			o.Document, changed = true, true
		case event == "" || refused[event]:
		case slices.Contains(recorded, f.Rule) && !slices.Contains(o.Ignored[event], any(f.Rule)):
			o.Ignored[event], changed = append(o.Ignored[event], f.Rule), true
		}
	}
	return changed
}
