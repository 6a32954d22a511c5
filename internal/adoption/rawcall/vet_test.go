package rawcall

import (
	"fmt"
	"go/ast"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// recording are the methods that go vet has to know here. By itself it knows the methods of package
// record, of client-go v0.36 and later, and none of package events.
const recording = "(k8s.io/client-go/tools/record.EventRecorder).Eventf,(k8s.io/client-go/tools/record.EventRecorder).AnnotatedEventf," +
	"(k8s.io/client-go/tools/internal/events.EventRecorder).Eventf"

// vet runs go vet's printf analysis, and returns the calls of events with a mistake: true if the
// format is not constant.
func vet(t *testing.T, program *scan.Program) map[*ast.CallExpr]bool {
	t.Helper()
	if err := printf.Analyzer.Flags.Set("funcs", recording); err != nil {
		t.Fatal(err)
	}
	p := program.Packages[0]
	found := map[*ast.CallExpr]bool{}
	_, err := printf.Analyzer.Run(&analysis.Pass{
		Analyzer: printf.Analyzer, Fset: program.Fset, Files: p.Syntax, Pkg: p.Types, TypesInfo: p.Info, TypesSizes: types.SizesFor("gc", "amd64"),
		ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: inspector.New(p.Syntax)},
		Report: func(d analysis.Diagnostic) {
			if call := variadicAt(p, d); call != nil {
				found[call] = strings.HasPrefix(d.Message, "non-constant format")
			}
		},
		// the example's own wrappers need none
		ImportObjectFact: func(types.Object, analysis.Fact) bool { return false },
		ExportObjectFact: func(types.Object, analysis.Fact) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// variadicAt returns the innermost call of a variadic function around a diagnostic; nil if that
// function belongs to package fmt.
func variadicAt(p *scan.Package, d analysis.Diagnostic) (call *ast.CallExpr) {
	for n := range ast.Preorder(p.Syntax[0]) {
		if c, ok := n.(*ast.CallExpr); ok && c.Pos() <= d.Pos && d.Pos < c.End() {
			if sig, ok := p.Info.TypeOf(c.Fun).(*types.Signature); ok && sig.Variadic() {
				call = c
			}
		}
	}
	if fn := scan.Callee(p.Info, call); fn != nil && fn.Pkg().Path() == "fmt" {
		return nil
	}
	return call
}

// TestGoVetFindsNoMore compares with go vet's printf analysis of the whole example: each call of an
// event with a mistake for go vet has a finding.
func TestGoVetFindsNoMore(t *testing.T) {
	examples := []string{drawnFormats(rand.New(rand.NewPCG(seed.Of(t), 0)))}
	for code := range cases() {
		examples = append(examples, function+code+"\n}\n"+helpers)
	}
	for _, wrapper := range formatWrappers {
		for call := range formatCalls {
			examples = append(examples, ofWrapper(wrapper, call))
		}
	}
	calls := 0
	for _, example := range examples {
		program := read(t, example)
		ours := findings(program, nil)
		for call, computed := range vet(t, program) {
			calls++
			found := slices.ContainsFunc(ours, func(f Finding) bool {
				return call.Pos() <= f.Pos && f.Pos < call.End() && (f.Rule.ID == "EV514" || computed && f.Rule.ID == "EV513")
			})
			if !found && !(computed && strings.Contains(example, harmlessChoice)) {
				line := program.Fset.Position(call.Pos()).Line - strings.Count(head, "\n")
				t.Errorf("go vet finds a mistake, and scan none: %s", strings.Split(example, "\n")[line-1])
			}
		}
	}
	t.Logf("go vet found mistakes in %d calls", calls)
	if calls < 200 {
		t.Errorf("go vet found mistakes in %d calls, at least 200 were expected", calls)
	}
}

// harmlessChoice is a format without verbs that is no constant for go vet.
const harmlessChoice = `f := "a"; if n > 1 { f = "b" }; `

// drawnFormats are calls with random formats and arguments.
func drawnFormats(r *rand.Rand) string {
	pieces := []string{
		"text", " ", "100% ", "%%", "%s", "%d", "%v", "%q", "%x", "%X", "%t", "%f", "%.2f", "%5d", "%-5s", "%+v", "%#v", "%*d", "%.*f", "%[1]s", "%[2]d",
		"%[3]*.[2]*[1]f", "%w", "%y", "%e", "%c", "%U", "%p", "%T", "%08b", "%o", "%O", "% d", "%+q", "%+s", "% t", "%!", "%[1]", "%[x]d", "%",
	}
	args := []string{
		"text", "n", "err", "names", "pod", "pod.Name", "*pod", "pod.Spec.Containers", "pod.Labels", "pod.CreationTimestamp", "pod.Status.Phase", "1.5", "true",
		"'x'", "nil", "&n", "[]byte(text)", "time.Second", "r.client", "r.f", "func() {}", "make(chan int)", "struct{ a int }{1}", "[3]bool{}", "any(n)", "names...",
	}
	calls := []string{
		`r.recorder.Eventf(pod, "Normal", "Scaled", %q%s)`, `r.recorder.AnnotatedEventf(pod, nil, "Normal", "Scaled", %q%s)`,
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", %q%s)`, `r.f(pod, "Scaled", %q%s)`,
	}
	var b strings.Builder
	for range 400 {
		format, given := "", ""
		for range 1 + r.IntN(4) {
			format += pieces[r.IntN(len(pieces))]
		}
		for range r.IntN(4) {
			arg := args[r.IntN(len(args))]
			if arg == "names..." {
				if given != "" {
					continue
				}
				arg = "[]any{n}..."
			}
			if given += ", " + arg; strings.HasSuffix(arg, "...") {
				break
			}
		}
		fmt.Fprintf(&b, "\t"+calls[r.IntN(len(calls))]+"\n", format, given)
	}
	return ofWrapper(formatWrappers["method"], strings.TrimSpace(b.String()))
}
