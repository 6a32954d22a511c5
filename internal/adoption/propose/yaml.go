package propose

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// YAML is the catalog's text.
func (c *Catalog) YAML() []byte {
	var b strings.Builder
	c.lines = map[int]Owner{}
	fmt.Fprintf(&b, "# Proposed by event-gen scan of %s.\n", count(c.Sites, "call"))
	b.WriteString("apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n")
	fmt.Fprintf(&b, "  go: {package: %s%s}\n", c.opts.Package, c.output())
	c.writeController(&b)
	writeMap(&b, "imports", c.imports, func(path string) string { return path })
	c.own(&b, c.objects)
	writeMap(&b, "objects", c.objects, (*object).yaml)
	if c.regarding != "" {
		fmt.Fprintf(&b, "  defaults: {regarding: %s}\n", c.regarding)
	}
	vocabulary := c.vocabulary()
	writeMap(&b, "params", vocabulary, func(p *Param) string { return p.Type })
	b.WriteString("  events:\n")
	for _, e := range c.Events {
		c.writeEvent(&b, e, vocabulary)
	}
	c.writeLeft(&b)
	return []byte(b.String())
}

func (c *Catalog) output() string {
	if c.opts.Output == "" {
		return ""
	}
	return ", output: " + scalar(c.opts.Output)
}

// Owner is the event or object that a line of the catalog belongs to.
type Owner struct{ Event, Object string }

// OwnerOf returns the owner of a line, counted from 1, of the text that YAML returned.
func (c *Catalog) OwnerOf(line int) (Owner, bool) {
	o, ok := c.lines[line]
	return o, ok
}

// own notes the lines that the objects are about to take.
func (c *Catalog) own(b *strings.Builder, objects map[string]*object) {
	line := strings.Count(b.String(), "\n") + 2
	for i, alias := range slices.Sorted(maps.Keys(objects)) {
		c.lines[line+i] = Owner{Object: alias}
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (c *Catalog) writeController(b *strings.Builder) {
	if len(validation.IsQualifiedName(c.controller)) == 0 {
		fmt.Fprintf(b, "  reportingController: %s\n", scalar(c.controller))
		return
	}
	if c.controller != "" {
		fmt.Fprintf(b, "  # TODO: reportingController: the recorders report as %s, which is no qualified name.\n", quoted(c.controller))
		return
	}
	if len(c.others) > 0 {
		fmt.Fprintf(b, "  # The program's recorders report as %s: each gives its name, rec.WithReportingController(…).\n", strings.Join(c.others, ", "))
		return
	}
	b.WriteString("  # TODO: reportingController: the code does not say the name that its recorders report as.\n")
}

func writeMap[T any](b *strings.Builder, key string, m map[string]T, text func(T) string) {
	if len(m) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s:\n", key)
	for _, k := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(b, "    %s: %s\n", k, text(m[k]))
	}
}

func (o *object) yaml() string {
	switch {
	case o.short != "":
		return o.short
	}
	return fmt.Sprintf("{type: %s}", o.goType)
}

// vocabulary returns the params, without options, that several events share.
func (c *Catalog) vocabulary() map[string]*Param {
	uses, clash := map[string]int{}, map[string]bool{}
	first := map[string]*Param{}
	for _, e := range c.Events {
		for _, p := range e.Params {
			if first[p.Name] == nil {
				first[p.Name] = p
			}
			clash[p.Name] = clash[p.Name] || *first[p.Name] != *p
			uses[p.Name]++
		}
	}
	out := map[string]*Param{}
	for name, p := range first {
		if uses[name] > 1 && !clash[name] && p.simple() && !slices.Contains(yamlWords, strings.ToLower(name)) {
			out[name] = p
		}
	}
	return out
}

func (p *Param) simple() bool { return !p.Quote && p.Precision < 0 && p.MaxBytes == 0 }

// yaml is a param as an event lists it.
func (p *Param) yaml(vocabulary map[string]*Param) string {
	switch {
	case vocabulary[p.Name] != nil:
		return p.Name
	case p.simple():
		return p.Name + " " + p.Type
	case !p.Quote && p.Precision < 0:
		return fmt.Sprintf("%s %s(%d)", p.Name, p.Type, p.MaxBytes)
	}
	text := fmt.Sprintf("{name: %s, type: %s", p.Name, p.Type)
	if p.Quote {
		text += ", quote: true"
	}
	if p.MaxBytes > 0 {
		text += fmt.Sprintf(", maxBytes: %d", p.MaxBytes)
	}
	if p.Precision >= 0 {
		text += fmt.Sprintf(", precision: %d", p.Precision)
	}
	return text + "}"
}

func (c *Catalog) writeEvent(b *strings.Builder, e *Event, vocabulary map[string]*Param) {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if e.Select != "" || e.Name != e.Reason {
		add("name: %s", e.Name)
	}
	if e.Select == "" {
		add("reason: %s", scalar(e.Reason))
	}
	if e.Action != "" {
		add("action: %s", scalar(e.Action))
	}
	if e.Type == "Warning" {
		add("type: Warning")
	}
	switch {
	case len(e.Regarding) > 1:
		add("regarding: [%s]", strings.Join(e.Regarding, ", "))
	case e.Regarding[0] != c.regarding:
		add("regarding: %s", e.Regarding[0])
	}
	if e.Related != "" {
		add("related: %s", e.Related)
	}
	add("message: %s", quoted(e.Message))
	if len(e.Params) > 0 {
		params := make([]string, len(e.Params))
		for i, p := range e.Params {
			params[i] = p.yaml(vocabulary)
		}
		add("params: [%s]", strings.Join(params, ", "))
	}
	if rules := c.opts.Ignored[e.Name]; len(rules) > 0 {
		const ignored = `{rule: %s, reason: "recorded like this before the catalog"}`
		add("lint: {ignore: ["+strings.Repeat(ignored+", ", len(rules)-1)+ignored+"]}", rules...)
	}
	if c.opts.Document {
		add("doc: %s", quoted("TODO: say when this is recorded, and what to do."))
	}
	lines = append(lines, e.selection()...)
	if comment := e.transition(); comment != "" {
		fmt.Fprintf(b, "  %s\n", comment)
	}
	if comment := e.leftOutAction(); comment != "" {
		fmt.Fprintf(b, "  %s\n", comment)
	}
	start := strings.Count(b.String(), "\n") + 1
	for i := range lines {
		c.lines[start+i] = Owner{Event: e.Name}
	}
	fmt.Fprintf(b, "  - %s\n", strings.Join(lines, "\n    "))
}

// selection returns the lines of the variants. The first alternative, which the others replace in
// the code, becomes other: the variant of every value without one.
func (e *Event) selection() []string {
	if e.Select == "" {
		return nil
	}
	lines := []string{"select: " + e.Select, "variants:"}
	for _, v := range e.Variants[1:] {
		lines = append(lines, fmt.Sprintf("  %s: %s", scalar(v.value), v.yaml(v.value)))
	}
	return append(lines, "other: "+e.Variants[0].yaml(""))
}

func (v variant) yaml(key string) string {
	var parts []string
	if v.reason != key {
		parts = append(parts, "reason: "+scalar(v.reason))
	}
	if v.kind == "Warning" {
		parts = append(parts, "type: Warning")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// writeLeft lists the sites that are not in the catalog.
func (c *Catalog) writeLeft(b *strings.Builder) {
	if len(c.Left) == 0 {
		return
	}
	b.WriteString("# Not in this catalog, or not as the code has it:\n")
	for _, l := range c.Left {
		fmt.Fprintf(b, "# %s\n", strings.ReplaceAll(l.Text(c.opts.Dir), "\n", " "))
	}
}

// Text is file:line:col: cause.
func (l Left) Text(dir string) string {
	return fmt.Sprintf("%s: %s", scan.Relative(l.Pos, dir), l.Why)
}

var bare = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*$`)

// yamlWords are words that YAML takes for something else than text.
var yamlWords = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

func scalar(s string) string {
	if bare.MatchString(s) && !slices.Contains(yamlWords, strings.ToLower(s)) {
		return s
	}
	return quoted(s)
}

func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}
