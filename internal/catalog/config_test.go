package catalog

import (
	"strings"
	"testing"
)

const configHead = "apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\n"

// A configuration is read whole or not at all.
func TestReadConfiguration(t *testing.T) {
	const good = configHead + "catalogs: [a.yaml, b]\nlint: {failOn: warning, severities: {EV109: warning}, ignore: [{rule: EV401, reason: x}]}\ncalls: {strict: true, allow: [{path: old, reason: z}]}\n"
	for name, c := range map[string]struct{ text, want string }{
		"good":     {good, ""},
		"one":      {"---\n" + good + "...\n", ""},
		"an end":   {good + "---\n# nothing\n", ""},
		"empty":    {"", "f.yaml:1:1: expected a Configuration, found an empty file [EV001]\n"},
		"comments": {"# nothing\n", "f.yaml:1:1: expected a Configuration, found an empty file [EV001]\n"},
		"no YAML":  {configHead + "catalogs: [\n", "f.yaml:3:1: did not find expected node content [EV001]\n"},
		"nested": {configHead + "catalogs: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n",
			"f.yaml:3:110: expected at most 100 lists and mappings in each other [EV001]\n"},
		"second": {good + "---\nkind: More\n", "f.yaml:7:1: expected one document, found a second one [EV001]\n"},
		"catalog": {head + "  - {reason: A, message: \"a\"}\n", "f.yaml:2:7: expected kind Configuration of " + APIVersion +
			", found kind \"EventCatalog\" of \"" + APIVersion + "\" [EV001]\n"},
		"unknown key": {good + "colour: red\n", "f.yaml:6:1: unknown key \"colour\" in a Configuration; it can have apiVersion, kind, catalogs, lint, breaking, generate, docs, calls [EV001]\n"},
		"no catalogs": {configHead, "f.yaml:1:1: a Configuration needs the key \"catalogs\" [EV001]\n"},
		"wrong severity": {configHead + "catalogs: []\nlint: {failOn: never}\n",
			"f.yaml:4:16: failOn: expected error, warning or info, found \"never\" [EV001]\n"},
		"a rule switched off": {configHead + "catalogs: []\nlint: {severities: {EV401: off}}\n", "f.yaml:4:28: severity of EV401: expected error, warning or info, " +
			"found \"off\"; to switch a rule off, list it in lint.ignore: {rule: …, reason: …} [EV001]\n"},
	} {
		config, findings := ReadConfiguration("f.yaml", strings.NewReader(c.text))
		if got := lines(findings); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if (config == nil) != (c.want != "") {
			t.Errorf("%s: the configuration is %v", name, config)
		}
		if config != nil && (show(config.Catalogs) != "a.yaml|b|" || show(config.Lint) != "warning|EV109|warning|EV401|x|" || show(config.Calls) != "true|old|z|") {
			t.Errorf("%s: got %s, %s", name, show(config.Catalogs), show(config.Lint))
		}
	}
}
