package analyzer

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/event-gen/event-gen/internal/adoption/rawcall"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// Settings configures the analyzer. The zero value has the defaults.
type Settings struct {
	// Config is the path of event-gen.yaml. If empty, it is the nearest one above each package, no
	// further up than the folder of go.mod or .git. The file can suppress rules and allow raw
	// calls. Settings here can't switch off what the file switches on.
	Config string `json:"config"`
	// Strict reports every note of the events API whose length can't be proven (EV515).
	Strict bool `json:"strict"`
	// NoRaw reports no raw calls (EV501).
	NoRaw bool `json:"noRaw"`
	// Tests reports findings in _test.go files too.
	Tests bool `json:"tests"`
}

// Analyzer is an analyzer with the default settings, and flags to change them.
var Analyzer = New(Settings{})

// New returns an analyzer with settings. The analyzer's flags change its own copy of the settings.
func New(s Settings) *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:             "eventgen",
		Doc:              "report Kubernetes events that are recorded without a catalog, and mistakes in the calls",
		URL:              "https://github.com/event-gen/event-gen/blob/main/docs/scan.md#the-analyzer",
		RunDespiteErrors: true,
		FactTypes:        []analysis.Fact{new(forwards), new(deprecated), new(declared)},
	}
	a.Flags.StringVar(&s.Config, "config", s.Config, "the path of event-gen.yaml; by default the nearest one above the package")
	a.Flags.BoolVar(&s.Strict, "strict", s.Strict, "report every note whose length can't be proven (EV515)")
	a.Flags.BoolVar(&s.NoRaw, "noraw", s.NoRaw, "report no raw calls (EV501)")
	a.Flags.BoolVar(&s.Tests, "tests", s.Tests, "report findings in _test.go files too")
	a.Run = func(pass *analysis.Pass) (any, error) { return nil, run(pass, s) }
	return a
}

// unit is one package under analysis.
type unit struct {
	*analysis.Pass
	settings Settings
	config   *config
	pkg      *scan.Package
	sites    []*scan.Site
	// formats holds the calls that pass a format to a recorder, and formatFunctions the functions
	// that pass on their callers' formats.
	formats         []*scan.FormatCall
	formatFunctions []scan.FormatFunction
	// recorders are the recorders' methods that the package declares.
	recorders   []scan.RecorderMethod
	controllers []scan.Controller
	// typed holds the calls of generated functions.
	typed   []*scan.TypedCall
	ignored *rawcall.Suppressions
	// own holds wrappers in the package that call wrappers of other packages.
	own []forward
	// passing are the calls in these wrappers.
	passing map[*scan.Site]bool
	found   []analysis.Diagnostic
}

func run(pass *analysis.Pass, s Settings) error {
	if !concerned(pass) {
		return nil
	}
	u := &unit{Pass: pass, settings: s, passing: map[*scan.Site]bool{}}
	var err error
	if u.config, err = configFor(pass, s.Config); err != nil {
		return err
	}
	u.find()
	u.exportForwards()
	u.exportDeprecated()
	u.exportDeclared()
	u.ignored = rawcall.SuppressionsOf(pass.Fset, pass.Files)
	u.judge()
	u.reportRaw()
	u.reportForward()
	u.reportDeprecated()
	u.reportValues()
	u.reportMissing()
	// drivers read files in any order
	slices.SortStableFunc(u.found, func(a, b analysis.Diagnostic) int {
		return scan.ByPosition(u.Fset.Position(a.Pos), u.Fset.Position(b.Pos))
	})
	for _, d := range u.found {
		u.Report(d)
	}
	return nil
}

// runtimePackages are the packages whose users can record events.
var runtimePackages = []string{"k8s.io/apimachinery/pkg/runtime", ourRuntime}

// unread are prefixes of modules that record nothing for their users.
var unread = []string{"k8s.io/client-go/", "k8s.io/apimachinery/", "k8s.io/api/", "sigs.k8s.io/controller-runtime/", ourRuntime + "/"}

// concerned reports whether a package can record events. It can if it imports runtime.Object or our
// run time, directly or not.
func concerned(pass *analysis.Pass) bool {
	path := pass.Pkg.Path() + "/"
	if slices.ContainsFunc(unread, func(p string) bool { return strings.HasPrefix(path, p) }) {
		return false
	}
	for _, i := range pass.Pkg.Imports() {
		if slices.Contains(runtimePackages, i.Path()) {
			return true
		}
		for _, j := range i.Imports() {
			if slices.Contains(runtimePackages, j.Path()) {
				return true
			}
		}
	}
	return len(pass.AllPackageFacts()) > 0
}

// find collects the sites in the package's own code, and its calls of wrappers in other packages.
func (u *unit) find() {
	u.pkg = &scan.Package{
		Path: u.Pkg.Path(), Name: u.Pkg.Name(), Syntax: u.Files, Types: u.Pkg, Info: u.TypesInfo, Main: u.Pkg.Name() == "main",
	}
	if u.Module != nil {
		u.pkg.Module = u.Module.Path
	}
	known := u.imported()
	program := &scan.Program{Fset: u.Fset, Packages: []*scan.Package{u.pkg}, Open: true, Formats: known.formatFunction, Typed: u.importedTyped(), Recorders: known.Recorders}
	found := scan.Scan(context.Background(), program)
	u.sites, u.formats, u.formatFunctions, u.controllers = found.Sites, found.Formats, found.FormatFunctions, found.Controllers
	u.recorders = found.RecorderMethods(u.pkg)
	u.typed = slices.DeleteFunc(found.Typed, func(c *scan.TypedCall) bool { return !u.judged(u.Fset.Position(c.Node.Pos()).Filename, c.File) })
	u.throughFacts(known)
	u.sites = slices.DeleteFunc(u.sites, func(s *scan.Site) bool { return !u.judged(s.Pos.Filename, s.File) })
	u.formats = slices.DeleteFunc(u.formats, func(f *scan.FormatCall) bool {
		return !u.judged(u.Fset.Position(f.Call.Pos()).Filename, f.File)
	})
}

// judged reports whether the analyzer reports findings in a file.
func (u *unit) judged(name string, f *ast.File) bool {
	return (f == nil || !ast.IsGenerated(f)) && (u.settings.Tests || !strings.HasSuffix(name, "_test.go"))
}

// judge reports the findings of package rawcall.
func (u *unit) judge() {
	for _, f := range rawcall.Check(rawcall.Input{
		Fset: u.Fset, Sites: u.sites, Typed: u.typed, Formats: u.formats, Controllers: u.controllers, Packages: []*scan.Package{u.pkg}, Where: u.where,
		Strict: u.settings.Strict || u.config.strict,
	}) {
		u.report(f.Pos, f.Rule, f.Message)
	}
}

func (u *unit) report(pos token.Pos, rule *callrules.Rule, message string) {
	if u.config.ignore[rule.ID] || u.ignored.Cover(pos, rule) {
		return
	}
	u.found = append(u.found, analysis.Diagnostic{Pos: pos, Category: rule.ID, Message: fmt.Sprintf("%s [%s]", message, rule.ID), URL: page(rule)})
}

func page(rule *callrules.Rule) string {
	return "https://github.com/event-gen/event-gen/blob/main/docs/rules/" + rule.ID + ".md"
}

// where returns another position as file, line and column, without the folder.
func (u *unit) where(pos token.Pos) string {
	at := u.Fset.Position(pos)
	at.Filename = filepath.Base(at.Filename)
	return at.String()
}
