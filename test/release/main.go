// Command release checks that a version could go out, as it would go out: it makes the release's
// commit and tags in a clone, serves the modules' zips from a folder, and does from there, with an
// empty module cache and without any replace, what the documentation tells users to do. It leaves
// the assets of the release: event-gen for each platform, checksums, bills of materials, licences.
//
//	make release-check VERSION=v0.1.0
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/semver"
)

const (
	rootPath    = "github.com/event-gen/event-gen"
	runtimePath = rootPath + "/runtime"
)

// steps are done in this order. The first two make what the others need.
var steps = []struct {
	name string
	do   func(*release) error
}{
	{"commit, tags and zips of the modules", (*release).cut},
	{"tools", (*release).tools},
	{"the public API, compared with the last tag", (*release).compare},
	{"event-gen for each platform, built twice", (*release).build},
	{"bills of materials and licences", (*release).bill},
	{"what users do", (*release).use},
}

func main() {
	version := flag.String("version", "", "the version to check, such as v0.1.0")
	wanted := flag.String("steps", "", "a regular expression for the steps to do; the first two are always done")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := check(ctx, *version, *wanted); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

// release is a version on its way.
type release struct {
	ctx     context.Context
	version string
	source  string   // the repository
	work    string   // everything that is not an asset, removed in the end
	assets  string   // bin/VERSION
	last    string   // the last version that was released; empty: none
	env     []string // of a user: the modules' proxy, and caches of its own
}

func check(ctx context.Context, version, wanted string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("-version: expected a version such as v0.1.0, found %q", version)
	}
	steer, err := regexp.Compile(wanted)
	if err != nil {
		return fmt.Errorf("-steps: %w", err)
	}
	source, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r := &release{ctx: ctx, version: version, source: source, work: work, assets: filepath.Join(source, "bin", version)}
	if r.env, err = r.user(); err != nil {
		return err
	}
	for i, s := range steps {
		if i > 1 && !steer.MatchString(s.name) {
			continue
		}
		begin := time.Now()
		fmt.Println("==", s.name)
		if err := s.do(r); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.say("%s", time.Since(begin).Round(time.Second/10))
	}
	if wanted == "" {
		fmt.Printf("%s could go out; its assets are in bin/%s\n", version, version)
	}
	return nil
}

// tree is the clone with the release's commit.
func (r *release) tree() string { return filepath.Join(r.work, "event-gen") }

// run runs a command and returns what it prints to stdout, trimmed. The error has what it printed
// to stderr.
func (r *release) run(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(r.ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, failed.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

// user is the environment of somebody who has no module yet. Dependencies come from this machine's
// module cache if it has them. GONOPROXY is empty: where it is not, "go get ctrlevents@version"
// finds no such package in a run time that is in the cache (golang.org/issue/61237).
func (r *release) user() ([]string, error) {
	settings, err := r.run(r.source, nil, "go", "env", "GOMODCACHE", "GOPROXY")
	cache, proxy, _ := strings.Cut(settings, "\n")
	return []string{
		"GOPROXY=file://" + filepath.ToSlash(r.proxy()) + ",file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download")) + "," + proxy,
		"GOPATH=" + filepath.Join(r.work, "gopath"),
		"GOMODCACHE=" + filepath.Join(r.work, "modcache"), // empty
		// as in the tutorial's test, so that both share what is compiled
		"GOFLAGS=-modcacherw -trimpath -gcflags=all=-dwarf=false",
		"GOSUMDB=off", "GOPRIVATE=", "GONOPROXY=", "GOWORK=off", "GOBIN=",
	}, err
}

// say prints what a step found, below the step's name.
func (r *release) say(format string, args ...any) {
	fmt.Println("   " + strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf(format, args...)), "\n", "\n   "))
}

func (r *release) git(args ...string) (string, error) { return r.run(r.tree(), nil, "git", args...) }
