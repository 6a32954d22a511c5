package rights

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// kustomizations lists the file names that kustomize accepts (api/konfig/general.go).
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomization holds the fields that can change rules or the namespaces that they hold in.
// Prefixes and labels can't.
type kustomization struct {
	// Namespace becomes the namespace of all objects, whatever they have.
	Namespace                    string
	Resources, Bases, Components []yaml.Node
	Patches                      []patch
	PatchesStrategicMerge        []yaml.Node `yaml:"patchesStrategicMerge"`
	PatchesJSON6902              []patch     `yaml:"patchesJson6902"`
	HelmCharts                   []yaml.Node `yaml:"helmCharts"`
	Generators, Transformers     []yaml.Node
}

type patch struct {
	Path, Patch string
	Target      struct{ Kind string }
}

// kustomizationOf returns the path of a folder's kustomization, or "".
func kustomizationOf(dir string) string {
	for _, name := range kustomizations {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			return filepath.Join(dir, name)
		}
	}
	return ""
}

// readKustomization follows the resources and components of a kustomization as files.
func (r *reader) readKustomization(path string, data []byte) (findings diag.Findings) {
	var doc yaml.Node
	var k kustomization
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return unread(positionOf(path, err), diag.Syntax, "expected a Kustomization, found %s", problemOf(err))
	}
	if len(doc.Content) == 0 {
		return nil
	}
	if err := doc.Decode(&k); err != nil {
		return unread(positionOf(path, err), diag.Syntax, "expected a Kustomization, found %s", mismatch(err))
	}
	dir := filepath.Dir(path)
	var strategic []patch
	checkPatches := func(key string, patches []patch) {
		if slices.ContainsFunc(patches, func(p patch) bool { return p.changesRules(dir) }) {
			findings.Unreadf(position(path, valueOf(doc.Content[0], key)), "", "a patch changes the rules of a role; give the output: "+
				"kustomize build %s | event-gen scan --rbac=-", dir)
		}
	}
	roles, bindings, accounts, workloads := len(r.set.Roles), len(r.set.Bindings), len(r.set.Accounts), len(r.set.Workloads)
	for _, n := range slices.Concat(k.Resources, k.Bases, k.Components) {
		findings = append(findings, r.follow(path, dir, n)...)
	}
	if k.Namespace != "" {
		below := Set{Roles: r.set.Roles[roles:], Bindings: r.set.Bindings[bindings:], Accounts: r.set.Accounts[accounts:], Workloads: r.set.Workloads[workloads:]}
		below.namespaces(func(n *string) { *n = k.Namespace })
	}
	for _, n := range k.PatchesStrategicMerge {
		p := patch{Path: n.Value, Patch: n.Value}
		if strings.Contains(n.Value, "\n") {
			p.Path = ""
		}
		strategic = append(strategic, p)
	}
	if slices.ContainsFunc(slices.Concat(strategic, k.Patches, k.PatchesJSON6902), func(p patch) bool { return strings.Contains(p.text(dir), "terminationGracePeriodSeconds") }) {
		r.set.Workloads = r.set.Workloads[:workloads]
	}
	checkPatches("patches", k.Patches)
	checkPatches("patchesJson6902", k.PatchesJSON6902)
	checkPatches("patchesStrategicMerge", strategic)
	for _, n := range slices.Concat(k.HelmCharts, k.Generators, k.Transformers) {
		r.set.Notes.Warnf(position(path, &n), "", "charts, generators and transformers are not followed; if they make roles, "+
			"give the output: kustomize build %s | event-gen scan --rbac=-", dir)
	}
	return findings
}

func (r *reader) follow(path, dir string, n yaml.Node) (findings diag.Findings) {
	target := filepath.Join(dir, filepath.FromSlash(n.Value))
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return unread(position(path, &n), diag.Syntax, "expected the path of a resource")
	}
	info, err := os.Stat(target)
	switch {
	case err != nil && remote(n.Value):
		r.set.Notes.Warnf(position(path, &n), "", "%s is fetched by kustomize and not read here; if it makes roles, give the output: "+
			"kustomize build %s | event-gen scan --rbac=-", n.Value, dir)
		return nil
	case err != nil:
		return unread(position(path, &n), "", "expected a file or folder: %s: %v", target, cause(err))
	case info.IsDir():
		inner := kustomizationOf(target)
		if inner == "" {
			return unread(position(path, &n), "", "expected a kustomization in %s, found none", target)
		}
		target = inner
	}
	return r.file(target)
}

// remote reports whether a resource is a URL or a Git repository.
func remote(resource string) bool {
	return strings.Contains(resource, "://") || strings.HasPrefix(resource, "git@") || strings.HasPrefix(resource, "github.com/") ||
		strings.Contains(resource, "?ref=")
}

// text returns the patch, or an empty text if its file can't be read.
func (p patch) text(dir string) string {
	if p.Path == "" {
		return p.Patch
	}
	data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.Path)))
	return string(data)
}

// changesRules reports whether a patch may change rules: it names rules, and its target may be a
// role. This package does not compute the result of such a patch.
func (p patch) changesRules(dir string) bool {
	text, kind := p.text(dir), p.Target.Kind
	if kind != "" && kind != kindRole && kind != kindClusterRole && !strings.ContainsAny(kind, ".*|(") {
		return false
	}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for {
		var doc yaml.Node
		if decoder.Decode(&doc) != nil {
			return false
		}
		if len(doc.Content) == 1 && touchesRules(doc.Content[0], kind) {
			return true
		}
	}
}

func touchesRules(n *yaml.Node, kind string) bool {
	var merge struct {
		Kind            string
		Rules           yaml.Node
		AggregationRule yaml.Node `yaml:"aggregationRule"`
		Delete          string    `yaml:"$patch"`
	}
	var operations []struct{ Path string }
	switch n.Kind {
	case yaml.MappingNode:
		return n.Decode(&merge) == nil && (merge.Kind == kindRole || merge.Kind == kindClusterRole || kind != "") &&
			(!merge.Rules.IsZero() || !merge.AggregationRule.IsZero() || merge.Delete != "")
	case yaml.SequenceNode:
		return n.Decode(&operations) == nil && slices.ContainsFunc(operations, func(o struct{ Path string }) bool {
			return strings.HasPrefix(o.Path, "/rules") || strings.HasPrefix(o.Path, "/aggregationRule")
		})
	}
	return false
}
