package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
)

var platforms = []struct{ os, arch string }{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// asset is where event-gen for a platform is.
func (r *release) asset(system, arch string) string {
	name := "event-gen_" + r.version + "_" + system + "_" + arch
	if system == "windows" {
		name += ".exe"
	}
	return filepath.Join(r.assets, name)
}

// build builds event-gen for each platform, twice: in two clones, in folders of different names.
// The two have the same bytes, or the release is not reproducible. The first platform is compiled
// twice, the second time with an empty build cache. The others share what is compiled, and link it
// twice, because compiling a platform takes minutes.
func (r *release) build() error {
	again := filepath.Join(r.work, "another place", "clone")
	if err := r.clone(r.tree(), r.version, again); err != nil {
		return err
	}
	if err := os.RemoveAll(r.assets); err != nil {
		return err
	}
	var sums strings.Builder
	for i, p := range platforms {
		begin, file := time.Now(), r.asset(p.os, p.arch)
		target := []string{"GOOS=" + p.os, "GOARCH=" + p.arch}
		first, err := r.buildIn(r.tree(), file, target...)
		if err != nil {
			return err
		}
		if i == 0 {
			target = append(target, "GOCACHE="+filepath.Join(r.work, "empty cache"))
		}
		second, err := r.buildIn(again, filepath.Join(r.work, "again"), target...)
		if err != nil {
			return err
		}
		if !bytes.Equal(first, second) {
			return fmt.Errorf("%s: two builds of %s have different bytes", filepath.Base(file), r.version)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(first), filepath.Base(file))
		r.say("%s: %.1f MB, the same bytes twice, %s", filepath.Base(file), float64(len(first))/1e6, time.Since(begin).Round(time.Second))
	}
	if err := os.WriteFile(filepath.Join(r.assets, "SHA256SUMS"), []byte(sums.String()), 0o644); err != nil {
		return err
	}
	commit, err := r.git("rev-parse", r.version)
	if err != nil {
		return err
	}
	return r.tells(commit+"\n", r.asset(runtime.GOOS, runtime.GOARCH), "version")
}

// buildIn builds event-gen in a clone, and returns the file.
func (r *release) buildIn(clone, file string, env ...string) ([]byte, error) {
	env = append(append(slices.Clone(r.env), "GOFLAGS=-modcacherw", "CGO_ENABLED=0"), env...)
	if _, err := r.run(clone, env, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", file, "./cmd/event-gen"); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// tells holds that a command prints the version of event-gen, a revision and the catalogs that it
// supports.
func (r *release) tells(revision string, command ...string) error {
	out, err := r.run(r.work, r.env, command[0], command[1:]...)
	if err != nil {
		return err
	}
	for _, want := range []string{"event-gen " + r.version + " ", "\nrevision " + revision, "\ncatalogs " + catalog.APIVersion} {
		if !strings.Contains(out, want) {
			return fmt.Errorf("expected %q, found\n%s", want, out)
		}
	}
	r.say("%s", out)
	return nil
}
