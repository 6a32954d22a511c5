package servers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const thisModule = "github.com/event-gen/event-gen/test/e2e"

// sourceFolder returns the absolute path of test/servers in the checkout that this package was
// compiled from.
func sourceFolder(ctx context.Context) (string, error) {
	folder := besideThisFile()
	if folder == "" {
		folder = besideModule(ctx)
	}
	if folder == "" {
		return "", fmt.Errorf("the server modules (test/servers of event-gen) were not found beside module %s: "+
			"run inside a checkout of event-gen, or set %s to a folder with %s, %s and %s",
			thisModule, AssetsVariable, APIServer, Etcd, Kubectl)
	}
	return folder, nil
}

// besideThisFile follows the path that the compiler recorded, which is none when the program was
// built with -trimpath.
func besideThisFile() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	e2e := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	return existing(filepath.Join(filepath.Dir(e2e), "servers"))
}

// besideModule asks the go command where the module is, which works in any folder whose module
// requires it.
func besideModule(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", thisModule).Output()
	e2e := strings.TrimSpace(string(out))
	if err != nil || e2e == "" {
		return ""
	}
	return existing(filepath.Join(filepath.Dir(e2e), "servers"))
}

func existing(folder string) string {
	if _, err := os.Stat(filepath.Join(folder, etcdModule.folder, "go.mod")); err != nil {
		return ""
	}
	return folder
}
