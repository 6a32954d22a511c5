package servers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// module is one folder of test/servers and the programs that are built in it.
type module struct {
	folder   string
	upstream string // path of the module whose version the programs carry
	programs []program
	ldflags  func(version string) []string
}

type program struct {
	name string
	pkg  string
	cost string // how long its build takes on two cores with an empty build cache
}

var etcdModule = module{
	folder:   "etcd",
	upstream: "go.etcd.io/etcd/server/v3",
	programs: []program{{Etcd, "go.etcd.io/etcd/server/v3", "about half a minute"}},
	ldflags:  func(string) []string { return nil },
}

// kubernetesModule returns the module of a version, such as "1.37".
func kubernetesModule(version string) module {
	return module{
		folder:   path.Join("kubernetes", version),
		upstream: "k8s.io/kubernetes",
		programs: []program{
			{APIServer, "k8s.io/kubernetes/cmd/kube-apiserver", "about 4 minutes"},
			{Kubectl, "k8s.io/kubernetes/cmd/kubectl", "about a minute"},
		},
		ldflags: kubernetesVersionFlags,
	}
}

// kubernetesVersionFlags sets what `kubectl version` and the server's /version say, as a build from
// a release tag would.
func kubernetesVersionFlags(version string) []string {
	const pkg = "k8s.io/component-base/version."
	major, minor, _ := strings.Cut(strings.TrimPrefix(semver.MajorMinor(version), "v"), ".")
	return []string{
		"-X", pkg + "gitVersion=" + version,
		"-X", pkg + "gitMajor=" + major,
		"-X", pkg + "gitMinor=" + minor,
	}
}

// buildEnvironment makes a build depend on nothing but what the key of the cache covers: neither on
// a C compiler, nor on the flags, workspace or target platform of whoever runs the tests.
func buildEnvironment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off",
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
}

// recipe is everything that decides what a build of a module gives.
type recipe struct {
	folder  string // absolute path of the module
	version string // of the upstream module
	flags   []string
	key     string // names the folder of the cache
}

func (m module) recipe(ctx context.Context, source string) (recipe, error) {
	folder := filepath.Join(source, m.folder)
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return recipe{}, err
	}
	sum, err := os.ReadFile(filepath.Join(folder, "go.sum"))
	if err != nil {
		return recipe{}, err
	}
	version, err := m.version(mod)
	if err != nil {
		return recipe{}, err
	}
	toolchain, err := goVersion(ctx, folder)
	if err != nil {
		return recipe{}, err
	}
	flags := []string{"-trimpath", "-gcflags=all=-dwarf=false", "-ldflags=" + strings.Join(append([]string{"-s", "-w"}, m.ldflags(version)...), " ")}
	name, _, _ := strings.Cut(m.folder, "/")
	key := keyOf(string(mod), string(sum), toolchain, runtime.GOOS, runtime.GOARCH, "CGO_ENABLED=0", strings.Join(flags, " "))
	return recipe{folder: folder, version: version, flags: flags, key: name + "-" + version + "-" + key}, nil
}

// version reads which version of the upstream module go.mod requires.
func (m module) version(mod []byte) (string, error) {
	file, err := modfile.Parse("test/servers/"+m.folder+"/go.mod", mod, nil)
	if err != nil {
		return "", err
	}
	for _, r := range file.Require {
		if r.Mod.Path == m.upstream {
			return r.Mod.Version, nil
		}
	}
	return "", fmt.Errorf("test/servers/%s/go.mod does not require %s: add the requirement and run go mod tidy", m.folder, m.upstream)
}

// goVersion names the toolchain that builds in folder, which the module's go line may have switched
// to a newer one.
func goVersion(ctx context.Context, folder string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir = folder
	cmd.Env = buildEnvironment()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env GOVERSION: %w: %s; the go command is needed to build the servers, unless %s is set",
			err, bytes.TrimSpace(stderr.Bytes()), AssetsVariable)
	}
	return strings.TrimSpace(string(out)), nil
}

// keyOf hashes its parts such that moving a byte from one part to the next changes the key.
func keyOf(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))[:16]
}
