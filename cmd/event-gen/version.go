package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"

	"github.com/event-gen/event-gen/internal/catalog"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the revision and the supported catalogs",
		Args:  cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), versionText())
		},
	}
}

// versionText returns the version and revision of this event-gen, and the apiVersion of the
// catalogs that it reads.
func versionText() string {
	build := buildInfo()
	return fmt.Sprintf("event-gen %s %s %s/%s\nrevision %s\ncatalogs %s", build.Main.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		revision(build), catalog.APIVersion)
}

// buildInfo returns the facts that the go command recorded in the program. The version is "(devel)"
// if the go command knew none.
func buildInfo() *debug.BuildInfo {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	if build.Main.Version == "" {
		build.Main.Version = "(devel)"
	}
	return build
}

func moduleVersion() string { return buildInfo().Main.Version }

// revision names the source that a program was built from. A build in a clone knows its commit. A
// build by "go install …@version" knows the module's checksum, and the commit if the version holds
// it.
func revision(build *debug.BuildInfo) string {
	commit, changed := "", ""
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", with changes"
		}
	}
	if commit != "" {
		return commit + changed
	}
	if build.Main.Sum == "" {
		return "unknown"
	}
	if commit, err := module.PseudoVersionRev(build.Main.Version); err == nil {
		return commit + ", module " + build.Main.Sum
	}
	return "of the tag " + build.Main.Version + ", module " + build.Main.Sum
}
