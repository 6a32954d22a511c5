// Package command builds event-gen and measures its runs, from process start to exit.
package command

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Tool is an event-gen binary and a module to run it in.
type Tool struct {
	binary string
	module string
}

// New builds event-gen from the module that the benchmarks are of, and makes an empty module. Remove takes both away.
func New() (*Tool, error) {
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/event-gen/event-gen").Output()
	if err != nil {
		return nil, fmt.Errorf("where event-gen is: %w", err)
	}
	module, err := os.MkdirTemp("", "event-gen-bench-")
	if err != nil {
		return nil, err
	}
	t := &Tool{binary: filepath.Join(module, "event-gen"), module: module}
	build := exec.Command("go", "build", "-o", t.binary, "./cmd/event-gen")
	build.Dir = strings.TrimSpace(string(root))
	build.Env = append(os.Environ(), "GOWORK=") // the root's workspace, which the benchmarks are not in
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building event-gen: %w\n%s", err, out)
	}
	return t, t.Write("go.mod", "module example.com/bench\n\ngo 1.26\n")
}

// Remove removes the module and the binary.
func (t *Tool) Remove() { os.RemoveAll(t.module) }

// Write writes a file of the module.
func (t *Tool) Write(name, text string) error {
	path := filepath.Join(t.module, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// Delete removes a file or folder of the module.
func (t *Tool) Delete(name string) error { return os.RemoveAll(filepath.Join(t.module, name)) }

// Cost is what a run has cost: wall time, CPU time, and the most memory that was resident.
type Cost struct {
	Wall, CPU time.Duration
	Bytes     int64
}

// Run runs event-gen in the module. An exit code that is not among those given is an error.
func (t *Tool) Run(codes []int, args ...string) (Cost, error) {
	cmd := exec.Command(t.binary, args...)
	cmd.Dir = t.module
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if cmd.ProcessState == nil {
		return Cost{}, err
	}
	for _, code := range codes {
		if cmd.ProcessState.ExitCode() == code {
			return Cost{Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Bytes: resident(cmd.ProcessState)}, nil
		}
	}
	return Cost{}, fmt.Errorf("event-gen %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes()[:min(stderr.Len(), 1000)])
}

// resident is the most memory that a process had, in bytes; 0 where the system does not say.
func resident(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) * 1024
	}
	return 0
}

// Catalog is a catalog of n events with different reasons, of a package of its own.
func Catalog(pkg string, n int, message string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: %s}
  reportingController: example.com/%s
  objects: {Job: batch/v1, Node: v1}
  defaults: {regarding: Job}
  params: {cause: error, from: int32, to: int32}
  events:
`, pkg, pkg)
	for i := range n {
		fmt.Fprintf(&b, "  - reason: %s\n", reason(i))
		switch i % 4 {
		case 0:
			fmt.Fprintf(&b, "    message: %q\n", message)
		case 1:
			fmt.Fprintf(&b, "    type: Warning\n    message: %q\n    params: [cause]\n", message+": {cause}")
		case 2:
			fmt.Fprintf(&b, "    related: Node\n    message: %q\n", message+" on {related.name}")
		default:
			fmt.Fprintf(&b, "    message: %q\n    params: [from, to]\n", message+" from {from} to {to}")
		}
		fmt.Fprintf(&b, "    doc: \"Event %d of a large catalog.\"\n", i)
	}
	return b.String()
}

var words = []string{
	"Volume", "Node", "Image", "Quota", "Secret", "Lease", "Route", "Backup", "Replica", "Token", "Disk", "Probe", "Cert",
	"Policy", "Queue", "Shard", "Index", "Cache", "Mirror", "Agent", "Budget", "Config",
}

// reason is the i-th of many UpperCamelCase names of three words and a verb.
func reason(i int) string {
	n := len(words)
	return words[i%n] + words[i/n%n] + words[i/n/n%n] + [...]string{"Created", "Failed", "Moved", "Scaled"}[i%4]
}
