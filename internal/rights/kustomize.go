package rights

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/diag"
)

// kustomizations are the names that kustomize takes (api/konfig/general.go).
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomization is what changes rules, or may. Prefixes, labels and namespaces change none.
type kustomization struct {
	Resources, Bases, Components []yaml.Node
	Patches                      []struct {
		Path, Patch string
		Target      struct{ Kind string }
	}
	PatchesStrategicMerge []yaml.Node `yaml:"patchesStrategicMerge"`
	PatchesJSON6902       []struct {
		Path, Patch string
		Target      struct{ Kind string }
	} `yaml:"patchesJson6902"`
	HelmCharts   []yaml.Node `yaml:"helmCharts"`
	Generators   []yaml.Node
	Transformers []yaml.Node
}

// kustomizationOf is the kustomization of a folder; empty if it has none.
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
		findings.Unreadf(positionOf(path, err), diag.Syntax, "expected a Kustomization, found %s", problemOf(err))
		return findings
	}
	if len(doc.Content) == 0 {
		return nil
	}
	if err := doc.Decode(&k); err != nil {
		findings.Unreadf(positionOf(path, err), diag.Syntax, "expected a Kustomization, found %s", mismatch(err))
		return findings
	}
	dir := filepath.Dir(path)
	for _, n := range slices.Concat(k.Resources, k.Bases, k.Components) {
		findings = append(findings, r.follow(path, dir, n)...)
	}
	r.checkPatches(path, dir, &doc, k, &findings)
	for _, n := range slices.Concat(k.HelmCharts, k.Generators, k.Transformers) {
		r.set.Notes.Warnf(position(path, &n), "", "charts, generators and transformers are not followed; if they make roles, "+
			"give the output: kustomize build %s | event-gen scan --rbac=-", dir)
	}
	return findings
}

func (r *reader) follow(path, dir string, n yaml.Node) (findings diag.Findings) {
	target := filepath.Join(dir, filepath.FromSlash(n.Value))
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		findings.Unreadf(position(path, &n), diag.Syntax, "expected the path of a resource")
		return findings
	}
	info, err := os.Stat(target)
	switch {
	case err != nil && remote(n.Value):
		r.set.Notes.Warnf(position(path, &n), "", "%s is fetched by kustomize and not read here; if it makes roles, give the output: "+
			"kustomize build %s | event-gen scan --rbac=-", n.Value, dir)
		return nil
	case err != nil:
		findings.Unreadf(position(path, &n), "", "expected a file or folder: %s: %v", target, cause(err))
		return findings
	case info.IsDir():
		inner := kustomizationOf(target)
		if inner == "" {
			findings.Unreadf(position(path, &n), "", "expected a kustomization in %s, found none", target)
			return findings
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

// checkPatches reports patches that change rules: what kustomize makes of them is not computed here.
func (r *reader) checkPatches(path, dir string, doc *yaml.Node, k kustomization, findings *diag.Findings) {
	report := func(key string) {
		findings.Unreadf(position(path, valueOf(doc.Content[0], key)), "", "a patch changes the rules of a role; give the output: "+
			"kustomize build %s | event-gen scan --rbac=-", dir)
	}
	for _, p := range k.Patches {
		if changesRules(dir, p.Path, p.Patch, p.Target.Kind) {
			report("patches")
			break
		}
	}
	for _, p := range k.PatchesJSON6902 {
		if changesRules(dir, p.Path, p.Patch, p.Target.Kind) {
			report("patchesJson6902")
			break
		}
	}
	for _, n := range k.PatchesStrategicMerge {
		file := n.Value
		if strings.Contains(file, "\n") {
			file = ""
		}
		if changesRules(dir, file, n.Value, "") {
			report("patchesStrategicMerge")
			break
		}
	}
}

// changesRules reports whether a patch may change rules: it names them, and its target may be a role.
func changesRules(dir, file, text, kind string) bool {
	if file != "" {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return false
		}
		text = string(data)
	}
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
		about := func() bool { return merge.Kind == kindRole || merge.Kind == kindClusterRole || kind != "" }
		return n.Decode(&merge) == nil && about() && (!merge.Rules.IsZero() || !merge.AggregationRule.IsZero() || merge.Delete != "")
	case yaml.SequenceNode:
		if n.Decode(&operations) != nil {
			return false
		}
		for _, o := range operations {
			if strings.HasPrefix(o.Path, "/rules") || strings.HasPrefix(o.Path, "/aggregationRule") {
				return true
			}
		}
	}
	return false
}
