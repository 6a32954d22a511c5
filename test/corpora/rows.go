package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// rows compares each repository's row with the evidence.
func (e *evidence) rows(ctx context.Context, update bool) error {
	if _, err := e.build(ctx, "./standin", "standin"); err != nil {
		return err
	}
	program, err := e.build(ctx, ".", "corpora")
	if err != nil {
		return err
	}
	same, differ, missing := 0, 0, []string{}
	for _, r := range e.repositories {
		name := r["repository"]
		measured, err := e.measured(ctx, program, r, nil)
		if err != nil {
			missing = append(missing, name)
			fmt.Printf("%s: not measured: %v\n", name, err)
			continue
		}
		changes := e.compare(name, measured[""], update)
		fmt.Printf("%s: %s\n", name, orSame(changes))
		if len(changes) == 0 {
			same++
		} else {
			differ++
		}
	}
	fmt.Printf("%d rows as in docs/evidence, %d others, %d not measured %s\n", same, differ, len(missing), strings.Join(missing, " "))
	if update {
		return errors.Join(e.calls.write(), e.migrated.write(), e.digests.write())
	}
	if differ > 0 {
		return errors.New("rows differ from docs/evidence; if that is right, make rows UPDATE=1 writes it anew, and rules.csv needs judging")
	}
	return nil
}

func orSame(changes []string) string {
	if len(changes) == 0 {
		return "as in docs/evidence"
	}
	return strings.Join(changes, "; ")
}

// compare returns the cells of the evidence that a row does not have, and sets them with update.
func (e *evidence) compare(repository string, r row, update bool) (changes []string) {
	want := func(t *table, values map[string]string) {
		cells := t.of(repository)
		if cells == nil {
			cells = map[string]string{"repository": repository}
			if update {
				t.rows = append(t.rows, cells)
			}
		}
		for _, column := range slices.Sorted(maps.Keys(values)) {
			if is := values[column]; cells[column] != is {
				changes = append(changes, fmt.Sprintf("%s: %s, was %s", column, is, cells[column]))
				if update {
					cells[column] = is
				}
			}
		}
	}
	want(e.calls, map[string]string{
		"calls of a recorder": strconv.Itoa(r.Recorders), "calls of a wrapper": strconv.Itoa(r.Wrappers), "known": strconv.Itoa(r.Known),
		"findings": strconv.Itoa(len(r.Findings)), "by rule": byRule(r.Findings),
	})
	if r.Problem != "" { // such as: nothing to propose
		return changes
	}
	want(e.migrated, map[string]string{
		"calls": strconv.Itoa(r.Total), "equal": strconv.Itoa(r.Equal), "equal except": strconv.Itoa(r.EqualExcept), "left": strconv.Itoa(r.Left),
	})
	want(e.digests, map[string]string{
		"calls": digest(r.Calls...), "findings": digest(r.Findings...), "verdicts": digest(r.Verdicts...), "catalog": digest(r.Catalog), "change": digest(r.Diff),
		"lines": fmt.Sprintf("+%d −%d", r.Added, r.Removed),
	})
	return changes
}

// byRule counts findings by rule, as calls.csv writes them.
func byRule(findings []string) string {
	counts := map[string]int{}
	for _, f := range findings {
		rule, _, _ := strings.Cut(f, " ")
		counts[rule]++
	}
	var out []string
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %d", rule, counts[rule]))
	}
	return strings.Join(out, ", ")
}
