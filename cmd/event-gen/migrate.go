package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	migratereport "github.com/event-gen/event-gen/internal/adoption/migrate/report"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output"
	"github.com/event-gen/event-gen/internal/output/initialize"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/gitread"
	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
)

type migrateOptions struct {
	catalogs           []string
	diff, write, force bool
	verify             bool
	accept             []string
	format             string
	tags               []string
	goos               string
	tests              bool
	given              func(flag string) bool
	patterns           []string
}

func newMigrate() *cobra.Command {
	o := migrateOptions{}
	cmd := &cobra.Command{
		Use:   "migrate [PACKAGES]",
		Short: "Rewrite calls of client-go's recorders as calls of generated methods",
		Long: `Rewrites raw calls of event recorders in Go packages, ./... by default, as calls of generated methods on the same
recorder. It rewrites a call only if it can prove that the same event is stored. Fields, constructors, helpers and tests stay. The change
includes generated files that are missing or stale.

Without --write it prints the change as a unified diff, and a table of verdicts to stderr. A verdict is

  equal         the same event is stored, byte for byte
  equal except  the same event is stored, except for the causes in the table: text that is cut at its bound, for example
  left          the call stays as it is; the lines below the table give the reason

The first run in a module compiles its dependencies, which can take minutes; --progress shows it.

--accept accepts further causes as equal: ` + acceptable() + `.
If a helper function takes the reason, or a struct carries it, a generated constructor makes the event before the call or the
struct, which gets the event's type, reason and message.

--write fails if a file of the change has uncommitted changes, unless --force is given. It first compiles the changed
packages and their tests (--verify), which takes as long as the first go vet of the packages if nothing is compiled yet.
Exit codes: 0 done; 1 errors in a catalog, a changed package that would not compile; 2 wrong usage
or configuration, no packages, uncommitted changes, or a file that can't be written.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.given, o.patterns = cmd.Flags().Changed, args
			if err := o.check(); err != nil {
				return err
			}
			return runMigrate(cmd, &o)
		},
	}
	o.flags(cmd)
	return cmd
}

func acceptable() string {
	ids := make([]string, 0, len(proof.Acceptable()))
	for _, id := range proof.Acceptable() {
		ids = append(ids, string(id))
	}
	return strings.Join(ids, ", ")
}

func (o *migrateOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&o.catalogs, "catalog", nil, "the catalogs, files or folders; the default is what generate takes")
	f.BoolVar(&o.diff, "diff", false, "write nothing; print a unified diff of what would change (the default)")
	f.BoolVar(&o.write, "write", false, "change the files")
	f.BoolVar(&o.force, "force", false, "with --write: change files with uncommitted changes too")
	f.StringSliceVar(&o.accept, "accept", nil, "accept a cause of difference: "+acceptable())
	f.BoolVar(&o.verify, "verify", false, "compile the changed packages and their tests; the default with --write")
	f.StringVar(&o.format, "format", migratereport.Names[0], "the format of the verdicts: "+strings.Join(migratereport.Names, ", ")+"")
	f.StringArrayVar(&o.tags, "tags", nil, "build tags, separated by commas; if repeated, the packages are read once for each set")
	f.StringVar(&o.goos, "goos", "", "the operating system to read the packages for; by default the go command's")
	f.BoolVar(&o.tests, "tests", false, "rewrite raw calls in _test.go files too")
	cmd.MarkFlagsMutuallyExclusive("diff", "write")
}

func (o *migrateOptions) check() error {
	for _, id := range o.accept {
		if !slices.Contains(proof.Acceptable(), proof.ID(id)) {
			return unknownValue("accept", id, strings.Split(acceptable(), ", ")...)
		}
	}
	switch {
	case !slices.Contains(migratereport.Names, o.format):
		return unknownValue("format", o.format, migratereport.Names...)
	case o.force && !o.write:
		return errors.New("--force has an effect only with --write; add --write")
	}
	if !o.given("verify") {
		o.verify = o.write
	}
	return nil
}

// migration is a run of the command.
type migration struct {
	*migrateOptions
	cmd    *cobra.Command
	module initialize.Module
	dir    string
	// loads holds the packages as they are on disk: one load for each set of build tags.
	loads []*scan.Loaded
	plan  *migrate.Plan
	// generated holds the generated files of the catalogs, and pending the changes that they need
	// on disk.
	generated []output.File
	pending   *output.Plan
}

func runMigrate(cmd *cobra.Command, o *migrateOptions) error {
	m := &migration{migrateOptions: o, cmd: cmd}
	set, err := m.catalogSet()
	if err != nil {
		return err
	}
	defer m.pending.Close()
	if m.module, err = moduleFor([]string{"."}); err != nil {
		return err
	}
	if m.dir, err = os.Getwd(); err != nil {
		return err
	}
	if err := m.decide(set); err != nil {
		return err
	}
	if o.write {
		if err := m.clean(); err != nil {
			return err
		}
	}
	if err := m.verified(); err != nil {
		return err
	}
	if !o.write {
		err := m.show()
		m.unrequired()
		m.slower()
		return err
	}
	return m.apply()
}

// catalogSet reads the catalogs and finds the generated files that are missing or stale.
func (m *migration) catalogSet() (*model.Set, error) {
	in, err := loadValid(m.cmd, m.catalogs, model.ResolveAuto, diag.Warning)
	if err != nil {
		return nil, err
	}
	g := generateOptions{given: func(string) bool { return false }, year: strconv.Itoa(time.Now().Year())}
	if g.licence, err = g.readLicence(m.cmd, in.Config); err != nil {
		return nil, err
	}
	if m.generated, err = g.emitAll(in.Set); err != nil {
		return nil, err
	}
	var findings diag.Findings
	m.pending, findings = output.Compare(m.generated, false)
	if len(findings) > 0 {
		m.pending.Close()
	}
	return in.Set, refused(m.cmd, findings)
}

// ways returns the options for reading the packages: one for each set of build tags. Tests are read
// only if a later step needs them.
func (m *migration) ways() []scan.Options {
	sets := m.tags
	if len(sets) == 0 {
		sets = []string{""}
	}
	var out []scan.Options
	for _, set := range sets {
		o := scan.Options{Patterns: m.patterns, GOOS: m.goos, Tests: m.tests || m.verify, Dir: m.dir}
		if set != "" {
			o.Tags = strings.Split(set, ",")
		}
		out = append(out, o)
	}
	return out
}

// decide reads and scans the packages, and plans the change.
func (m *migration) decide(set *model.Set) error {
	var results []*scan.Result
	for _, o := range m.ways() {
		loaded, _, err := readPackages(m.cmd, &o)
		if err != nil {
			return err
		}
		m.loads = append(m.loads, loaded)
		r, err := scanned(m.cmd, loaded, m.tests)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	var accept []proof.ID
	for _, id := range m.accept {
		accept = append(accept, proof.ID(id))
	}
	var err error
	m.plan, err = migrate.New(results, set, migrate.Options{Dir: m.dir, Accept: accept, Tests: m.tests})
	return err
}

// texts returns the generated files by absolute path.
func (m *migration) texts() map[string][]byte {
	out := map[string][]byte{}
	for _, f := range m.generated {
		out[f.Path] = f.Content
	}
	return out
}

// verified compiles the planned files.
func (m *migration) verified() error {
	if !m.verify {
		return nil
	}
	unchecked, err := m.plan.Verify(m.cmd.Context(), m.loads, m.texts())
	if failure := (*migrate.Failure)(nil); errors.As(err, &failure) {
		fmt.Fprintln(m.cmd.ErrOrStderr(), failure)
		suggestGoGet(m.cmd.ErrOrStderr(), failure.Error())
		fmt.Fprintln(m.cmd.ErrOrStderr(), "nothing was written")
		return exitFindings
	}
	for _, path := range unchecked {
		fmt.Fprintf(m.cmd.ErrOrStderr(), "%s: not compiled, before or after the change, since it imports a package that does not compile\n", path)
	}
	return err
}

// show prints the planned change.
func (m *migration) show() error {
	if m.format != "text" {
		return m.verdicts(m.cmd.OutOrStdout())
	}
	for _, c := range m.pending.Changes {
		fmt.Fprintf(m.cmd.ErrOrStderr(), "%s is %s\n", c.Path, c.State)
	}
	for _, f := range m.plan.Files {
		if _, err := m.cmd.OutOrStdout().Write(migratereport.Diff(f, m.name(f.Path))); err != nil {
			return err
		}
	}
	return m.printVerdicts(m.cmd.ErrOrStderr())
}

// name returns a path for people to read.
func (m *migration) name(path string) string {
	if rel, err := filepath.Rel(m.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// apply writes the changes.
func (m *migration) apply() error {
	if err := m.writeAll(m.cmd.Context()); err != nil {
		return err
	}
	return m.verdicts(m.cmd.OutOrStdout())
}

// writeAll writes generated and changed files: all of them, or none.
func (m *migration) writeAll(ctx context.Context) error {
	changes := m.pending.Disk()
	for _, f := range m.plan.Files {
		rel, err := filepath.Rel(m.module.Root, f.Path)
		if err != nil {
			return err
		}
		changes = append(changes, disk.Change{Path: m.name(f.Path), Root: m.module.Root, Name: rel, Content: f.New, Old: f.Old})
	}
	if err := disk.Apply(ctx, changes); err != nil {
		return err
	}
	stderr := m.cmd.ErrOrStderr()
	for _, c := range m.pending.Changes {
		fmt.Fprintf(stderr, "wrote %s\n", c.Path)
	}
	for _, f := range m.plan.Files {
		fmt.Fprintf(stderr, "wrote %s\n", m.name(f.Path))
	}
	return nil
}

// verdicts writes the verdicts in the format of --format.
func (m *migration) verdicts(w io.Writer) error {
	switch m.format {
	case "json":
		return migratereport.JSON(w, m.plan, m.name)
	}
	return m.printVerdicts(w)
}

// clean fails if a file of the plan has uncommitted changes, because git could not restore them.
func (m *migration) clean() error {
	if m.force || len(m.plan.Files) == 0 {
		return nil
	}
	var files []string
	for _, f := range m.plan.Files {
		files = append(files, f.Path)
	}
	text, err := gitread.Uncommitted(m.cmd.Context(), m.dir, files)
	if err != nil {
		return fmt.Errorf("%w; without git, nothing can undo --write; add --force to write anyway", err)
	}
	if text != "" {
		return fmt.Errorf("these files have uncommitted changes; commit them, or add --force:\n%s", text)
	}
	return nil
}

// runTimePath is the module that generated code imports, and managerPath the one for managers.
const (
	runTimePath = "github.com/event-gen/event-gen/runtime"
	managerPath = runTimePath + "/ctrlevents"
)

// notRequired matches the go command's errors for a package of the run time that no module of the
// build has. After other errors, the modules can't be read, so go get would fail too.
var notRequired = regexp.MustCompile(`(?:no required module provides|cannot find module providing|does not contain|module \S+ provides) package (` +
	regexp.QuoteMeta(runTimePath) + `[\w/]*)(?:[^\w/]|$)`)

// suggestGoGet prints the command that adds a module of the run time to go.mod, if text is the
// error for a module without it.
func suggestGoGet(w io.Writer, text string) bool {
	missing := notRequired.FindStringSubmatch(text)
	if missing == nil {
		return false
	}
	module := runTimePath
	if strings.HasPrefix(missing[1], managerPath) {
		module = managerPath
	}
	fmt.Fprintf(w, "go.mod lacks %s, which the change imports; before --write, run go get %s\n", module, module)
	if release(buildInfo()) == "" {
		fmt.Fprintf(w, "this event-gen is no release: in place of go get, replace %s by its folder in a clone (go mod edit -require=… -replace=…), and run go get ./...\n", module)
	}
	return true
}

// unrequired prints why go.mod does not provide the run time, which the change imports.
func (m *migration) unrequired() {
	if len(m.plan.Files)+len(m.pending.Changes) == 0 {
		return
	}
	if _, err := gocommand.Output(m.cmd.Context(), m.dir, nil, "list", runTimePath); err != nil && !suggestGoGet(m.cmd.ErrOrStderr(), err.Error()) {
		fmt.Fprintf(m.cmd.ErrOrStderr(), "before --write: %v\n", err)
	}
}

// slower says that --write takes longer than this run, which has read no tests.
func (m *migration) slower() {
	if m.format != "text" || m.given("verify") || m.ways()[0].Tests || len(m.plan.Files)+len(m.pending.Changes) == 0 {
		return
	}
	fmt.Fprintln(m.cmd.ErrOrStderr(), "--write also compiles the packages with their tests and all that these import, which takes as long as the first go vet of the packages")
}

// printVerdicts prints the verdicts.
func (m *migration) printVerdicts(w io.Writer) error { return migratereport.Text(w, m.plan) }
