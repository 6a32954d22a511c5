package fields

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Onto is the client-go recorder, or the pipeline, on which generated recorders record in the end.
type Onto string

// The recorders to choose from.
const (
	// Keep keeps the present recorders.
	Keep Onto = ""
	// Record keeps recorders of tools/record. It moves no place with a recorder of tools/events,
	// which would lose its actions.
	Record Onto = "record"
	// Events is tools/events: GetEventRecorder of a manager, and events.NewBroadcaster.
	Events Onto = "events"
	// EventGen is this project's pipeline: ctrlevents.NewManager, and the drop-in for client-go's
	// broadcasters.
	EventGen Onto = "eventgen"
)

// Names are the values that a user can give.
var Names = []string{string(Record), string(Events), string(EventGen)}

// Options choose how to move.
type Options struct {
	Dir  string // positions are relative to it
	Onto Onto
	Set  *model.Set
}

// Place is a field, parameter, result or variable that holds a recorder.
type Place struct {
	Pos  token.Position // on disk, before the first stage; relative to Options.Dir
	Kind string         // field, parameter, result or variable
	Name string
}

// Moved is a place whose type becomes a generated recorder.
type Moved struct {
	Place
	Type string
	// Public: other modules can name the place. If they do, they no longer compile.
	Public bool
}

// Left is a place that stays a recorder of client-go.
type Left struct {
	Place
	// Use is the position of the use that holds the place, and Why describes the use.
	Use token.Position
	Why string
}

// Source is a place that makes a recorder, and now makes it for another API, or in another
// pipeline.
type Source struct {
	Pos      token.Position
	Was, Now string
}

// Plan holds the decisions of stage 2. Lists are sorted by position.
type Plan struct {
	Moved   []Moved
	Left    []Left
	Sources []Source
	// Files are the new texts, by absolute path.
	Files map[string][]byte
}

// New decides which places move, in packages as the first stage leaves them.
func New(ctx context.Context, first *migrate.Plan, check migrate.Check, o Options) (*Plan, error) {
	loads, err := first.Load(ctx, check)
	if err != nil {
		return nil, err
	}
	r := newReader(first, o)
	for _, loaded := range loads {
		if err := r.compiles(loaded); err != nil {
			return nil, err
		}
	}
	for _, loaded := range loads {
		r.loaded = loaded
		r.eachFile(r.declare)
	}
	var ways []scan.Options
	for i, loaded := range loads {
		ways = append(ways, check.Loads[i].Options)
		r.loaded = loaded
		r.holdForTypes()
		r.eachFile(r.look)
		r.bind()
		if err := r.holdForUnread(ctx, check.Loads[i].Options); err != nil {
			return nil, err
		}
	}
	r.holdForAssertions()
	r.holdForLeftOut(loads, ways)
	d := newDecision(r)
	d.decide()
	w := newWriter(d, first.Changed(check))
	if err := w.write(); err != nil {
		return nil, err
	}
	return d.plan(w), nil
}

// compiles fails if a generated package has no FromEvents: its calls could not be seen then.
func (r *reader) compiles(loaded []*packages.Package) error {
	for _, l := range loaded {
		p := r.catalogOf(l.PkgPath)
		if p == nil || l.Types != nil && l.Types.Scope().Lookup(p.FromEvents) != nil {
			continue
		}
		why := "it has no " + p.FromEvents
		if len(l.Errors) > 0 {
			why = l.Errors[0].Error()
		}
		return fmt.Errorf("the generated package %s can't be read: %s", p.Path, why)
	}
	return nil
}

func (r *reader) catalogOf(path string) *model.Package {
	for _, p := range r.opts.Set.Packages {
		if p.Path != "" && p.Path == scan.RealPath(path) {
			return p
		}
	}
	return nil
}

// place describes a node for people.
func (r *reader) place(n *node) Place {
	return Place{Pos: r.onDisk(n.pos), Kind: n.kind, Name: n.name}
}

// onDisk returns a position as people know it: before the first stage, and relative to the folder.
func (r *reader) onDisk(p token.Position) token.Position {
	return scan.Relative(r.first.OnDisk(p), r.opts.Dir)
}

// at returns a position for people.
func (r *reader) at(p token.Position) string { return r.onDisk(p).String() }

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Offset, b.Offset))
}

func isTest(path string) bool { return strings.HasSuffix(path, "_test.go") }
