package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// table is a CSV file: its columns, and its rows by column.
type table struct {
	path    string
	columns []string
	rows    []map[string]string
}

func readTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t := &table{path: path, columns: all[0]}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range t.columns {
			row[name] = cells[i]
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

// of returns the row of a repository, or nil.
func (t *table) of(repository string) map[string]string {
	for _, row := range t.rows {
		if row["repository"] == repository {
			return row
		}
	}
	return nil
}

func (t *table) write() error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(t.columns)
	for _, row := range t.rows {
		var cells []string
		for _, name := range t.columns {
			cells = append(cells, row[name])
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return os.WriteFile(t.path, b.Bytes(), 0o644)
}

// evidence holds the tables, and the repositories to run on.
type evidence struct {
	root         string // of this project
	home         string // of the clones and the programs
	calls        *table
	migrated     *table
	digests      *table
	repositories []map[string]string
}

func newEvidence(names []string) (*evidence, error) {
	root, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	e := &evidence{root: root, home: os.Getenv("CORPORA")}
	if e.home == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		e.home = filepath.Join(cache, "event-gen", "corpora")
	}
	repositories, err := readTable("repositories.csv")
	if err != nil {
		return nil, err
	}
	e.repositories = slices.DeleteFunc(repositories.rows, func(r map[string]string) bool {
		return len(names) > 0 && !slices.Contains(names, r["repository"])
	})
	if len(e.repositories) == 0 {
		return nil, fmt.Errorf("repositories.csv names none of %s", strings.Join(names, ", "))
	}
	for name, t := range map[string]**table{"calls": &e.calls, "migrated": &e.migrated, "digests": &e.digests} {
		if *t, err = readTable(filepath.Join(root, "docs", "evidence", name+".csv")); err != nil {
			return nil, err
		}
	}
	return e, os.MkdirAll(e.home, 0o755)
}

// checkout returns the folder of a repository, at its commit.
func (e *evidence) checkout(ctx context.Context, r map[string]string) (string, error) {
	dir := filepath.Join(e.home, r["repository"])
	if out, err := exec.CommandContext(ctx, "git", "-C", dir, "rev-parse", "HEAD").Output(); err == nil && strings.TrimSpace(string(out)) == r["commit"] {
		return dir, nil
	}
	for _, args := range [][]string{
		{"init", "--quiet", dir},
		{"-C", dir, "fetch", "--quiet", "--depth=1", r["url"], r["commit"]},
		{"-C", dir, "checkout", "--quiet", "--detach", "FETCH_HEAD"},
	} {
		if out, err := exec.CommandContext(ctx, "git", args...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
		}
	}
	return dir, nil
}

// measured runs a build of this command in a repository.
func (e *evidence) measured(ctx context.Context, program string, r map[string]string, parts []string) (map[string]row, error) {
	dir, err := e.checkout(ctx, r)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, append([]string{"measure", e.calls.of(r["repository"])["manifests"]}, parts...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOFLAGS=-buildvcs=false -toolexec="+filepath.Join(e.home, "bin", "standin"),
		"GOCACHE="+filepath.Join(e.home, "bin", "cache"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, stderr.String())
	}
	rows := map[string]row{}
	return rows, json.Unmarshal(out, &rows)
}

// build builds a program of this module.
func (e *evidence) build(ctx context.Context, path, name string, flags ...string) (string, error) {
	file := filepath.Join(e.home, "bin", name)
	args := slices.Concat([]string{"build", "-o", file}, flags, []string{path})
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return file, nil
}
