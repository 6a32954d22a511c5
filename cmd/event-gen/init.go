package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/output/initialize"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

func newInit() *cobra.Command {
	workflow := false
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Start a catalog in a module",
		Long: `Writes a catalog, doc.go with the go:generate line, the JSON Schema with which editors check the catalog, and
event-gen.yaml, which lists the catalog. If the module records events on client-go's recorders, the catalog is the one
that scan -o proposes. Else it has the API kinds that the module declares, and no events.

DIR is the folder of the catalog in the module, and its name is the package's. The default is internal/<controller>events:
internal/widgetevents for example.com/widget-operator. A catalog.yaml beside go.mod, as scan -o and migrate leave it, stays
the catalog: then init adds what is missing around it. In a Git repository init also writes a workflow for GitHub's CI, at
the root of the repository. It leaves existing files as they are, and prints the next commands.

Exit codes: 0 written; 2 wrong usage, no module, or nothing to write.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := moduleFor(args)
			if err == nil && len(args) == 0 {
				err = adopt(&m)
			}
			if err != nil {
				return err
			}
			if workflow {
				if m.Root, err = filepath.EvalSymlinks(m.Root); err != nil {
					return err
				}
				if m.Repository = repositoryOf(m.Root); m.Repository == "" && cmd.Flags().Changed("workflow") {
					return errors.New("--workflow: there is no Git repository here or above; run git init first")
				}
			}
			return initModule(cmd, m)
		},
	}
	cmd.Flags().BoolVar(&workflow, "workflow", true, "in a Git repository, also write .github/workflows/events.yaml at its root")
	return cmd
}

// moduleFor returns the module of the working directory, and in it the folder that the arguments
// name.
func moduleFor(args []string) (m initialize.Module, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return m, err
	}
	if m.Root = disk.Nearest(dir, "go.mod"); m.Root == "" {
		return m, errors.New("there is no go.mod here or above; run go mod init first")
	}
	data, err := disk.ReadFile(filepath.Join(m.Root, "go.mod"), disk.MaxText)
	if err != nil {
		return m, err
	}
	if m.Path = modfile.ModulePath(data); m.Path == "" {
		return m, fmt.Errorf("%s has no module line", filepath.Join(m.Root, "go.mod"))
	}
	folder := filepath.Join(m.Root, "internal", initialize.Package(m.Path))
	if len(args) > 0 {
		if folder, err = filepath.Abs(args[0]); err != nil {
			return m, err
		}
	}
	rel, err := filepath.Rel(m.Root, folder)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return m, fmt.Errorf("%s is not in the module, whose folder is %s", folder, m.Root)
	}
	m.Dir, m.Command = filepath.ToSlash(rel), "event-gen"
	if version := release(buildInfo()); version != "" {
		m.Command = "go run " + commandPath + "@" + version
	} else {
		m.Clone = "https://github.com/event-gen/event-gen"
	}
	return m, nil
}

// adopt makes the catalog beside go.mod, if there is one, that of the module, and the folder of its
// package the one that init writes to.
func adopt(m *initialize.Module) error {
	file := filepath.Join(m.Root, discovery.DefaultCatalog)
	if !exists(file) {
		return nil
	}
	data, err := disk.ReadFile(file, disk.MaxText)
	if err != nil {
		return err
	}
	read, findings := catalog.Read(inModule(m.Root, file), bytes.NewReader(data))
	if len(read) == 0 || read[0].Go.Package.Value == "" {
		return fmt.Errorf("%s is there, and can't be read as a catalog (%d findings): run event-gen lint", file, len(findings))
	}
	m.Adopted, m.Dir = discovery.DefaultCatalog, read[0].Go.Package.Value
	if out := read[0].Go.Output.Value; out != "" {
		m.Dir = path.Dir(out)
	}
	return nil
}

const commandPath = "github.com/event-gen/event-gen/cmd/event-gen"

// release returns the version of a build that the go command can fetch; empty for a build from a
// clone that is no release. Only a module from elsewhere has a checksum.
func release(build *debug.BuildInfo) string {
	version := build.Main.Version
	if build.Main.Sum != "" || semver.IsValid(version) && semver.Build(version) == "" && !module.IsPseudoVersion(version) {
		return version
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func initModule(cmd *cobra.Command, m initialize.Module) error {
	proposed, err := firstCatalog(cmd, m)
	if err != nil {
		return err
	}
	kinds, err := initialize.Kinds(m.Root, m.Path, m.Dir)
	if err != nil {
		return err
	}
	files, err := initialize.Files(m, kinds, proposed)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		if !k.Versioned && proposed == nil && m.Adopted == "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "left out %s of %s: its package has no +groupName marker, which gives the API version; add the kind to the catalog with its apiVersion\n", k.Name, k.Path)
		}
	}
	written, left, err := initialize.Write(cmd.Context(), files)
	for _, path := range left {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s exists and was left as it is\n", inModule(m.Root, path))
	}
	for _, path := range written {
		fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s\n", inModule(m.Root, path))
	}
	switch {
	case err != nil:
		return err
	case len(written) == 0:
		return exitUsage
	}
	config := filepath.Join(m.Root, discovery.ConfigurationFile)
	if slices.Contains(left, config) {
		fmt.Fprintf(cmd.ErrOrStderr(), "add the catalog to the list in %s: - %s\n", inModule(m.Root, config), m.Catalog())
	}
	printNext(cmd.ErrOrStderr(), m)
	return nil
}

// printNext prints the commands that come next. An event-gen that is no release has the run time of
// its clone.
func printNext(w io.Writer, m initialize.Module) {
	fmt.Fprintln(w, "next:")
	version := release(buildInfo())
	if version != "" {
		fmt.Fprintf(w, "  go get %s@%s\n", runTimePath, version)
	}
	fmt.Fprintf(w, "  %s lint\n  go generate ./%s\n", m.Command, m.Dir)
	if version == "" {
		fmt.Fprintf(w, `this event-gen is no release; for its run time, clone https://github.com/event-gen/event-gen beside the module, and then:
  go mod edit -require=%[1]s@v0.1.0 -replace=%[1]s=../event-gen/runtime
  go get ./...
`, runTimePath)
	}
}

// inModule returns a path relative to the module's root.
func inModule(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil {
		return rel
	}
	return path
}
