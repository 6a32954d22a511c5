package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// reasons maps formats to functions that count the findings and problems in a report. A function
// fails if a program could not read the report.
var reasons = map[string]func(report string) (int, error){
	"json":   jsonReasons,
	"sarif":  sarifReasons,
	"github": gitHubReasons,
	"junit":  jUnitReasons,
}

func jsonReasons(report string) (n int, err error) {
	for line := range strings.Lines(report) {
		var finding struct{ File, Severity, Message string }
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			return 0, err
		}
		if finding.File == "" || finding.Severity == "" || finding.Message == "" {
			return 0, fmt.Errorf("something is empty: %s", line)
		}
		n++
	}
	return n, nil
}

func sarifReasons(report string) (n int, err error) {
	parsed, err := sarif.FromBytes([]byte(report), sarif.WithStrictValidation())
	if err != nil {
		return 0, err
	}
	for _, run := range parsed.Runs {
		n += len(run.Results)
		for _, i := range run.Invocations {
			n += len(i.ToolExecutionNotifications)
		}
	}
	return n, parsed.Validate()
}

var gitHubCommand = regexp.MustCompile(`^::(error|warning|notice)( title=event-gen| file=[^:,]+,line=[1-9]\d*,col=[1-9]\d*,title=[^:,]+)::.+\n$`)

func gitHubReasons(report string) (n int, err error) {
	for line := range strings.Lines(report) {
		if !gitHubCommand.MatchString(line) {
			return 0, fmt.Errorf("no workflow command: %s", line)
		}
		n++
	}
	return n, nil
}

func jUnitReasons(report string) (n int, err error) {
	for decoder := xml.NewDecoder(strings.NewReader(report)); ; {
		token, err := decoder.Token()
		switch element, ok := token.(xml.StartElement); {
		case errors.Is(err, io.EOF) && report != "":
			return n, nil
		case err != nil:
			return 0, err
		case ok && (element.Name.Local == "error" || element.Name.Local == "failure"):
			n++
		}
	}
}

// wellformed fails unless stdout is a report in a format: wellformed FORMAT.
func wellformed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || reasons[args[0]] == nil {
		ts.Fatalf("usage: wellformed FORMAT")
	}
	_, err := reasons[args[0]](ts.ReadFile("stdout"))
	ts.Check(err)
}

// leaves is like exits, and also fails if a file of the script has changed: leaves CODE PROGRAM
// [ARG...].
func leaves(ts *testscript.TestScript, neg bool, args []string) {
	before := files(ts)
	exits(ts, neg, args)
	if after := files(ts); !maps.Equal(before, after) {
		ts.Fatalf("files have changed (-before +after):\n%s", cmp.Diff(before, after))
	}
}

// files returns the files below the script's folder, except those of Git and temporary ones.
func files(ts *testscript.TestScript) map[string]string {
	all := map[string]string{}
	root := ts.Getenv("WORK")
	ts.Check(filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == ".git" || name == ".tmp") {
			return fs.SkipDir
		}
		about := e.Type().String()
		if e.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			about += string(text)
		}
		all[path] = about
		return nil
	}))
	return all
}

// rejected runs every command that reads catalogs on a bad one: rejected CODE FILE PATTERN. Each
// must end with the code (a comparison with another catalog: with 2). Each must print the pattern,
// print nothing that could control a terminal, and change no file. A catalog good.yaml must exist.
func rejected(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: rejected CODE FILE PATTERN")
	}
	code, file, pattern := args[0], args[1], regexp.MustCompile("(?m)"+args[2])
	for _, command := range [][]string{
		{code, "event-gen", "generate", file},
		{code, "event-gen", "generate", "--check", file},
		{code, "event-gen", "docs", file},
		{code, "event-gen", "explain", "--catalog", file, "It is gone"},
		{code, "event-gen", "lint", file},
		{code, "event-gen", "lint", "--fix", file},
		{"2", "event-gen", "breaking", "--against=" + file, "good.yaml"},
		{"2", "event-gen", "breaking", "--against=good.yaml", file},
	} {
		leaves(ts, false, command)
		said(ts, command, pattern)
	}
}

// reported runs the commands with formats, in every format for programs, on a bad catalog: reported
// CODE FILE PATTERN. A program must be able to read each report and find a reason in it.
func reported(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: reported CODE FILE PATTERN")
	}
	rejected(ts, neg, args)
	for _, form := range format.Names[1:] {
		for _, command := range [][]string{
			{args[0], "event-gen", "lint", "--format=" + form, args[1]},
			{"2", "event-gen", "breaking", "--format=" + form, "--against=good.yaml", args[1]},
		} {
			leaves(ts, false, command)
			said(ts, command, regexp.MustCompile(""))
			if n, err := reasons[form](ts.ReadFile("stdout")); n == 0 || err != nil {
				ts.Fatalf("%q reports %d reasons: %v\n%s", command, n, err, ts.ReadFile("stdout"))
			}
		}
	}
}

// mostSaid bounds the output of a command about one bad file, in bytes. Formats that document rules
// print more.
const mostSaid = 4000

// said fails unless a command has printed a pattern.
func said(ts *testscript.TestScript, command []string, pattern *regexp.Regexp) {
	all := ts.ReadFile("stdout") + "\n" + ts.ReadFile("stderr")
	if len(all) > mostSaid && !slices.Contains(command, "--format=sarif") {
		ts.Fatalf("%q says %d bytes", command, len(all))
	}
	if !pattern.MatchString(all) {
		ts.Fatalf("%q does not say %q:\n%s", command, pattern, all)
	}
	if i := strings.IndexFunc(all, func(r rune) bool { return r != '\n' && unicode.IsControl(r) || r == '\u202e' }); i >= 0 {
		ts.Fatalf("%q prints a control character: %q", command, all[i:])
	}
}
