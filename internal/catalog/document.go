package catalog

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/nesting"
)

// The API version and the kinds that this package reads.
const (
	Group             = "event-gen.github.io"
	APIVersion        = Group + "/v1alpha1"
	KindCatalog       = "EventCatalog"
	KindConfiguration = "Configuration"
)

// document is one parsed document. Its root is nil if the document is empty or is not YAML.
type document struct {
	walker
	text []byte
	root *yaml.Node
}

func parse(file string, c chunk) *document {
	d := &document{text: c.text}
	d.file, d.line = file, c.line
	d.lines = bytes.Split(bytes.TrimRight(c.text, "\r\n"), []byte("\n"))
	var node yaml.Node
	switch err := yaml.NewDecoder(bytes.NewReader(c.text)).Decode(&node); {
	case errors.Is(err, io.EOF):
	case err != nil:
		d.findings = d.syntax(err)
	case nesting.TooDeep(&node) != nil:
		d.findings.Errorf(d.pos(nesting.TooDeep(&node)), diag.Syntax, "expected at most %d lists and mappings in each other", nesting.Most)
	case !isNull(node.Content[0]):
		d.root = node.Content[0]
	}
	return d
}

// isWanted reports whether to read the document as a catalog. It adds a finding if the document
// should be a catalog and is not. A document without apiVersion or kind is read, so that all its
// findings appear at once.
func (d *document) isWanted(inFolder bool) bool {
	version, kind := d.header("apiVersion"), d.header("kind")
	if inFolder && (!isOurs(version) || kind.Value == KindConfiguration) {
		return false
	}
	return d.expect(version, kind, KindCatalog)
}

// expect reports a document whose version or kind is not the expected one.
func (d *document) expect(version, kind Scalar, expected string) bool {
	const found = "expected kind %s of " + APIVersion + ", found kind %s of %s"
	switch k, v := clip(kind.Value), clip(version.Value); {
	case isOtherVersion(version):
		d.findings.Unreadf(version.Pos, diag.Syntax, found+"; use an event-gen that supports this version", expected, k, v)
	case version.Set() && version.Value != APIVersion:
		d.findings.Errorf(version.Pos, diag.Syntax, found, expected, k, v)
	case kind.Set() && kind.Value != expected:
		d.findings.Errorf(kind.Pos, diag.Syntax, found, expected, k, v)
	default:
		return true
	}
	return false
}

// isOtherVersion reports whether an apiVersion is another version of our group.
func isOtherVersion(version Scalar) bool {
	return isOurs(version) && version.Value != APIVersion
}

func isOurs(version Scalar) bool { return strings.HasPrefix(version.Value, Group+"/") }

// header returns the value of a key of the document's root; unset if it is not text.
func (d *document) header(key string) Scalar {
	if d.root.Kind != yaml.MappingNode {
		return Scalar{}
	}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if k, v := d.root.Content[i], d.root.Content[i+1]; k.Value == key && v.Kind == yaml.ScalarNode && !isNull(v) {
			return Scalar{Value: v.Value, Pos: d.pos(v)}
		}
	}
	return Scalar{}
}

// catalog reads the document into a tree.
func (d *document) catalog() *Catalog {
	c := &Catalog{File: d.file, Pos: d.pos(d.root)}
	d.structure(reflect.ValueOf(c).Elem(), "an "+KindCatalog, d.root, keysOf(reflect.TypeFor[Catalog]()))
	c.Incomplete = d.lost
	return c
}
