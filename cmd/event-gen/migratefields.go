package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/fields"
	migratereport "github.com/event-gen/event-gen/internal/adoption/migrate/report"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// fieldsOptions are the options of migrate that are about its second stage.
type fieldsOptions struct {
	recorders bool
	onto      string
	rbac      []string
}

func (o *fieldsOptions) flags(f *pflag.FlagSet) {
	f.BoolVar(&o.recorders, "fields", false, "also give fields, parameters, results and variables the type of the generated recorder")
	f.StringVar(&o.onto, "onto", "", "with --fields: what it records on: "+strings.Join(fields.Names, ", ")+"; the default is the recorder that is there")
	f.StringArrayVar(&o.rbac, "rbac", nil, "with --onto=events or eventgen: the manifests whose missing rights are printed, as for scan; can be repeated")
}

func (o *fieldsOptions) check() error {
	switch {
	case o.onto != "" && !slices.Contains(fields.Names, o.onto):
		return fmt.Errorf("--onto: it is %s, not %q", strings.Join(fields.Names, ", "), o.onto)
	case o.onto != "" && !o.recorders:
		return errors.New("--onto is about recorders that move; add --fields")
	case len(o.rbac) > 0 && o.onto != string(fields.Events) && o.onto != string(fields.EventGen):
		return errors.New("--rbac is about the rights that a change of API needs; add --fields --onto=events")
	}
	return nil
}

// moveFields makes the second stage on what the first one has decided.
func (m *migration) moveFields(set *model.Set) error {
	if !m.recorders {
		return nil
	}
	second, err := fields.New(m.cmd.Context(), m.plan, m.checks(), fields.Options{Dir: m.dir, Onto: fields.Onto(m.onto), Set: set})
	if err != nil && strings.Contains(err.Error(), runTimePath) {
		fmt.Fprintln(m.cmd.ErrOrStderr(), err)
		sayGoGet(m.cmd.ErrOrStderr(), err.Error())
		fmt.Fprintln(m.cmd.ErrOrStderr(), "nothing was written")
		return exitFindings
	}
	if err != nil {
		return err
	}
	for path, text := range second.Files {
		if err := m.plan.Replace(path, text); err != nil {
			return err
		}
	}
	m.fields = second
	return nil
}

// tell prints the verdicts of both stages.
func (m *migration) tell(w io.Writer) error {
	if err := migratereport.Text(w, m.plan); err != nil || m.fields == nil {
		return err
	}
	if err := migratereport.Fields(w, m.fields); err != nil {
		return err
	}
	return m.tellRights(w)
}

// placed names the place of a failure in a file that the second stage has changed: no call of the first one is to blame.
func (m *migration) placed(f *migrate.Failure) {
	if m.fields == nil {
		return
	}
	file, _, _ := strings.Cut(f.Pos, ":")
	if m.fields.Files[absolute(m.dir, file)] != nil || f.Site == nil {
		f.Site, f.Pos = nil, m.plan.OnDiskText(f.Pos)
	}
}
