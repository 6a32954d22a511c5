// Command standin stands in place of the Go compiler (go build -toolexec): it writes only the types
// of declarations, as export data. A repository's dependencies are then read in seconds instead of
// minutes. Nothing that it writes can be linked.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
			os.Exit(ended.ExitCode())
		}
		fmt.Fprintln(os.Stderr, "standin:", err)
		os.Exit(1)
	}
}

func run(tool string, args []string) error {
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-V") }) {
		return original(tool, args)
	}
	switch strings.TrimSuffix(filepath.Base(tool), ".exe") {
	case "compile":
		return compile(args)
	case "asm":
		return os.WriteFile(flagOf(args, "-o"), nil, 0o600)
	case "pack":
		return nil
	}
	return original(tool, args)
}

// original runs the tool itself.
func original(tool string, args []string) error {
	cmd := exec.Command(tool, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// flagOf returns the value of a tool's flag, or nothing.
func flagOf(args []string, name string) string {
	for i, a := range args {
		if value, ok := strings.CutPrefix(a, name+"="); ok {
			return value
		}
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// compile type-checks the declarations of a package, whatever is wrong in it, and writes an archive
// with its export data.
func compile(args []string) error {
	if header := flagOf(args, "-asmhdr"); header != "" {
		if err := os.WriteFile(header, nil, 0o600); err != nil {
			return err
		}
	}
	fset := token.NewFileSet()
	imports, err := importerOf(fset, flagOf(args, "-importcfg"))
	if err != nil {
		return err
	}
	var files []*ast.File
	for _, a := range args {
		if strings.HasSuffix(a, ".go") && !strings.HasPrefix(a, "-") {
			f, err := parser.ParseFile(fset, a, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
	}
	conf := types.Config{Importer: imports, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	checked, _ := conf.Check(flagOf(args, "-p"), fset, files, nil)
	data, err := export(fset, checked)
	if err != nil {
		return err
	}
	return os.WriteFile(flagOf(args, "-o"), archive(flagOf(args, "-buildid"), data), 0o600)
}

// export returns the export data of a package. The library panics on some types with errors.
func export(fset *token.FileSet, p *types.Package) (data []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", p.Path(), r)
		}
	}()
	var b bytes.Buffer
	err = gcexportdata.Write(&b, fset, p)
	return b.Bytes(), err
}

// archive puts export data into the only member of an archive, as package gcexportdata reads it.
func archive(buildID string, data []byte) []byte {
	member := fmt.Sprintf("go object %s %s %s GOAMD64=v1\nbuild id %q\n\n\n$$B\n%s\n$$\n", runtime.GOOS, runtime.GOARCH, runtime.Version(), buildID, data)
	text := fmt.Sprintf("!<arch>\n%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", "__.PKGDEF", 0, 0, 0, 0o644, len(member), member)
	if len(member)%2 == 1 {
		text += "\n"
	}
	return []byte(text)
}

// importer reads packages by the export data that the go command names.
type importer struct {
	fset     *token.FileSet
	files    map[string]string // by path
	renamed  map[string]string
	packages map[string]*types.Package
}

func importerOf(fset *token.FileSet, config string) (*importer, error) {
	i := &importer{fset, map[string]string{}, map[string]string{}, map[string]*types.Package{}}
	if config == "" {
		return i, nil
	}
	f, err := os.Open(config)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		name, value, _ := strings.Cut(rest, "=")
		switch verb {
		case "packagefile":
			i.files[name] = value
		case "importmap":
			i.renamed[name] = value
		}
	}
	return i, lines.Err()
}

// Import implements types.Importer.
func (i *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if renamed := i.renamed[path]; renamed != "" {
		path = renamed
	}
	if p := i.packages[path]; p != nil && p.Complete() {
		return p, nil
	}
	f, err := os.Open(i.files[path])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, i.fset, i.packages, path)
}
