package main

import (
	"context"
	"os"

	"github.com/event-gen/event-gen/internal/breaking"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/gitread"
	"github.com/event-gen/event-gen/internal/model"
)

// loadBaseline loads the older side: a file or folder if there is one of that name, else what a commit has of the
// catalogs. It also gives what keeps it from being compared.
func loadBaseline(ctx context.Context, args []string, against string) (breaking.Baseline, diag.Findings) {
	if _, err := os.Lstat(against); err == nil {
		in := resolved(ctx, discovery.Disk{}, []string{against}, baseline())
		return breaking.Baseline{Set: in.set, Elsewhere: true}, in.obstacles()
	}
	tree, err := gitread.Open(ctx, against)
	if err != nil {
		return breaking.Baseline{}, catalog.Unreadable(against, err)
	}
	in := resolved(ctx, tree, args, baseline())
	in.forgive(args)
	problems := in.obstacles()
	for i := range problems {
		problems[i].Pos.File = against + ":" + problems[i].Pos.File
	}
	return breaking.Baseline{Set: in.set, Label: against}, problems
}

// baseline is how catalogs are resolved that are only compared with.
func baseline() model.Options {
	opts := resolution(model.ResolveAuto)
	opts.Baseline = true
	return opts
}

// forgive drops the problems of named files that a commit does not have yet, as long as it has another one.
func (in *inputs) forgive(args []string) {
	if len(args) < 2 || len(in.catalogs) == 0 {
		return
	}
	var left diag.Findings
	for _, f := range in.problems {
		if f.Message != os.ErrNotExist.Error() {
			left = append(left, f)
		}
	}
	in.problems = left
}
