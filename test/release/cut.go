package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/zip"
)

// cut clones the repository's HEAD, and releases the modules that users require. The run time is
// tagged before the release's commit, by which the others require its version.
func (r *release) cut() error {
	if changed, err := r.run(r.source, nil, "git", "status", "--porcelain"); err != nil {
		return err
	} else if changed != "" {
		r.say("left out, because it is not committed:\n%s", changed)
	}
	if err := r.clone(r.source, "", r.tree()); err != nil {
		return err
	}
	if err := r.findLast(); err != nil {
		return err
	}
	if err := r.publish("runtime"); err != nil {
		return err
	}
	if err := r.commit(); err != nil {
		return err
	}
	if err := r.publish("runtime/ctrlevents"); err != nil {
		return err
	}
	return r.publish("")
}

// findLast finds the newest version before the one to check.
func (r *release) findLast() error {
	tags, err := r.git("tag", "--list", "v*")
	if err != nil {
		return err
	}
	for _, tag := range strings.Fields(tags) {
		if tag == r.version {
			return fmt.Errorf("%s is released already", tag)
		}
		if semver.IsValid(tag) && semver.Compare(tag, r.version) < 0 && semver.Compare(tag, r.last) > 0 {
			r.last = tag
		}
	}
	return nil
}

// replacement is what go.work says of a run time that is not released yet.
var replacement = regexp.MustCompile(`(?m)^(//.*\n)?replace ` + regexp.QuoteMeta(runtimePath) + ` .*\n`)

// commit has the other modules require the run time's version, and the workspace replace it no
// more.
func (r *release) commit() error {
	for _, folder := range []string{".", "runtime/ctrlevents"} {
		if _, err := r.run(filepath.Join(r.tree(), folder), nil, "go", "mod", "edit", "-require="+runtimePath+"@"+r.version); err != nil {
			return err
		}
	}
	if _, err := r.run(r.tree(), r.env, "go", "mod", "tidy"); err != nil {
		return err
	}
	err := edit(filepath.Join(r.tree(), "go.work"), func(text []byte) []byte { return replacement.ReplaceAll(text, nil) })
	if err != nil {
		return err
	}
	if _, err := r.git("-c", "user.name=release", "-c", "user.email=release@localhost", "commit", "--quiet", "--all", "--allow-empty",
		"-m", "release "+r.version); err != nil {
		return err
	}
	shown, err := r.git("show", "--stat", "--format=%h %s", "HEAD")
	r.say("%s", shown)
	return err
}

func edit(file string, change func([]byte) []byte) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, change(text), 0o644)
}

func (r *release) proxy() string { return filepath.Join(r.work, "proxy") }

// publish tags the module in a folder, and puts it, as the tag has it, into the folder that is a
// module proxy. The zip is made by the go command's own package.
func (r *release) publish(folder string) error {
	modulePath, tag := path.Join(rootPath, folder), path.Join(folder, r.version)
	if _, err := r.git("tag", tag); err != nil {
		return err
	}
	dir := filepath.Join(r.proxy(), filepath.FromSlash(modulePath), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	mod, err := r.git("show", tag+":"+path.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"list": r.version + "\n", r.version + ".info": fmt.Sprintf("{%q: %q}", "Version", r.version), r.version + ".mod": mod + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(dir, r.version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromVCS(archive, module.Version{Path: modulePath, Version: r.version}, r.tree(), tag, folder); err != nil {
		return err
	}
	info, err := archive.Stat()
	if err != nil {
		return err
	}
	r.say("%s %s: %d kB", modulePath, r.version, info.Size()/1000)
	return archive.Close()
}
