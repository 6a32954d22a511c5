// Package servers finds the programs that a test cluster runs, and builds them once where the
// machine has none.
//
// A folder named by KUBEBUILDER_ASSETS is taken as it is. Otherwise the programs are built with the
// go command from the modules below test/servers, and kept in the user's cache folder under a key
// that stands for everything the build depends on.
package servers

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// AssetsVariable is the environment variable that names a folder with ready programs.
const AssetsVariable = "KUBEBUILDER_ASSETS"

// VersionVariable is the environment variable that names the Kubernetes version to build, one of
// Versions; unset or empty: Latest.
const VersionVariable = "KUBERNETES"

// Latest is the Kubernetes version that the tests run on unless told otherwise.
const Latest = "1.37"

// Versions lists the supported Kubernetes versions. Each has a module in test/servers/kubernetes.
var Versions = []string{"1.35", "1.36", Latest}

// Names of the programs, as files are called in a folder of them.
const (
	APIServer = "kube-apiserver"
	Etcd      = "etcd"
	Kubectl   = "kubectl"
)

// Paths holds the absolute path of each program.
type Paths struct {
	APIServer string
	Etcd      string
	Kubectl   string
}

// Find returns the programs. Where KUBEBUILDER_ASSETS is set, that folder has to hold all three;
// nothing is built then. Otherwise those missing in the cache are built, of the version that
// KUBERNETES names, which takes some minutes and is announced on progress; several processes may
// call Find at once, and one of them builds. Find ends early when ctx does.
func Find(ctx context.Context, progress io.Writer) (Paths, error) {
	if folder := os.Getenv(AssetsVariable); folder != "" {
		return fromAssets(folder)
	}
	return fromSource(ctx, progress)
}

func fromAssets(folder string) (Paths, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Paths{}, fmt.Errorf("%s: %w", AssetsVariable, err)
	}
	for _, name := range []string{APIServer, Etcd, Kubectl} {
		if !isProgram(filepath.Join(folder, name)) {
			return Paths{}, fmt.Errorf("%s names %s, which has no program %s: add it, or unset %s to build all programs from source",
				AssetsVariable, folder, name, AssetsVariable)
		}
	}
	return pathsIn(folder, folder), nil
}

func fromSource(ctx context.Context, progress io.Writer) (Paths, error) {
	version, err := Version()
	if err != nil {
		return Paths{}, err
	}
	source, err := sourceFolder(ctx)
	if err != nil {
		return Paths{}, err
	}
	cache, err := cacheFolder()
	if err != nil {
		return Paths{}, err
	}
	etcd, err := etcdModule.ensure(ctx, source, cache, progress)
	if err != nil {
		return Paths{}, err
	}
	kubernetes, err := kubernetesModule(version).ensure(ctx, source, cache, progress)
	if err != nil {
		return Paths{}, err
	}
	return pathsIn(kubernetes, etcd), nil
}

// Version returns the Kubernetes version that KUBERNETES names, or Latest.
func Version() (string, error) {
	version := cmp.Or(os.Getenv(VersionVariable), Latest)
	if !slices.Contains(Versions, version) {
		return "", fmt.Errorf("%s=%s: expected one of %s", VersionVariable, version, strings.Join(Versions, ", "))
	}
	return version, nil
}

func pathsIn(kubernetes, etcd string) Paths {
	return Paths{
		APIServer: filepath.Join(kubernetes, APIServer),
		Etcd:      filepath.Join(etcd, Etcd),
		Kubectl:   filepath.Join(kubernetes, Kubectl),
	}
}

func cacheFolder() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder to keep the built servers in: %w; define it, or set %s to a folder with %s, %s and %s",
			err, AssetsVariable, APIServer, Etcd, Kubectl)
	}
	return filepath.Join(base, "event-gen", "servers"), nil
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
