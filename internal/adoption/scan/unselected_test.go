package scan

import (
	"go/build"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestSelecting(t *testing.T) {
	saved := build.Default
	defer func() { build.Default = saved }()
	build.Default.GOOS, build.Default.GOARCH, build.Default.CgoEnabled = "linux", "amd64", false
	for _, tt := range []struct {
		name, text string
		with       Options
		want       string
	}{
		{"x.go", "//go:build a && b && !c", Options{}, "--tags=a,b"},
		{"x.go", "//go:build a || b", Options{}, "--tags=a"},
		{"x.go", "//go:build b", Options{Tags: []string{"a"}}, "--tags=a,b"},
		{"x.go", "//go:build !a", Options{Tags: []string{"a"}}, "--tags="},
		{"x_windows_arm64.go", "//go:build x", Options{}, "--goos=windows --tags=x GOARCH=arm64"},
		{"x.go", "//go:build !unix", Options{}, "--goos=windows"},
		{"x_linux.go", "", Options{GOOS: "windows"}, "--goos=linux"},
		{"x.go", "//go:build cgo", Options{}, "CGO_ENABLED=1"},
		{"x.go", "package x\nimport \"C\"\n", Options{}, "CGO_ENABLED=1"},
		{"x.go", "//go:build !cgo", Options{}, ""},
		{"x.go", "//go:build cgo && darwin", Options{}, "GOOS=darwin CGO_ENABLED=1"},
		{"x.go", "//go:build ignore", Options{}, "none"},
		{"x.go", "//go:build windows && linux", Options{}, "none"},
		{"x.go", "//go:build ignore && (" + strings.Repeat("x1 || ", 1000) + "x2)", Options{}, "none"},
	} {
		text := tt.text
		if !strings.HasPrefix(text, "package") {
			text += "\n\npackage x\n"
		}
		f, err := parser.ParseFile(token.NewFileSet(), tt.name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		flags, ok := tt.with.selecting(tt.name, []byte(text), f)
		if got := strings.TrimSpace(flags); ok && got != tt.want || !ok && tt.want != "none" {
			t.Errorf("%s %.60s: %q %t, want %q", tt.name, tt.text, got, ok, tt.want)
		}
	}
}
