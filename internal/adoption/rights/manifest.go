package rights

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/nesting"
)

// rbacGroup is the API group of roles and bindings, in any version.
const rbacGroup = "rbac.authorization.k8s.io/"

// object holds the fields that this package reads of a manifest. Only the kinds of rbacGroup are
// decoded, because other kinds have other fields.
type object struct {
	Metadata struct {
		Name, Namespace string
		Labels          map[string]string
	}
	Rules           []yaml.Node
	AggregationRule struct {
		ClusterRoleSelectors []selector `yaml:"clusterRoleSelectors"`
	} `yaml:"aggregationRule"`
	RoleRef  struct{ Kind, Name string } `yaml:"roleRef"`
	Subjects []Subject
}

// selector is a metav1.LabelSelector for this YAML reader.
type selector struct {
	MatchLabels      map[string]string `yaml:"matchLabels"`
	MatchExpressions []struct {
		Key      string
		Operator metav1.LabelSelectorOperator
		Values   []string
	} `yaml:"matchExpressions"`
}

type head struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Items      []yaml.Node
}

// readManifests adds the roles and bindings of a YAML stream. It skips documents of other kinds.
func (s *Set) readManifests(name string, data []byte) (findings diag.Findings) {
	data = diag.WithoutMark(data)
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var doc yaml.Node
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return findings
		}
		if err != nil {
			findings.Unreadf(positionOf(name, err), diag.Syntax, "expected YAML manifests, found %s", problemOf(err))
			return findings
		}
		if deep := nesting.TooDeep(&doc); deep != nil {
			findings.Unreadf(position(name, deep), diag.Syntax, "expected at most %d lists and mappings in each other", nesting.Most)
			return findings
		}
		if len(doc.Content) == 1 {
			s.readObject(name, doc.Content[0], head{}, &findings)
		}
	}
}

var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// positionOf returns the line that the YAML reader's error names, or the file's first line.
func positionOf(name string, err error) diag.Pos {
	if match := yamlLine.FindStringSubmatch(err.Error()); match != nil && match[1] != "" {
		if line, err := strconv.Atoi(match[1]); err == nil {
			return diag.Pos{File: name, Line: line, Column: 1}
		}
	}
	return diag.Pos{File: name, Line: 1, Column: 1}
}

func problemOf(err error) string { return yamlLine.ReplaceAllString(err.Error(), "") }

var goType = regexp.MustCompile(` into .*$`)

// mismatch describes the first value of a wrong form. It leaves out the Go type that the reader
// names.
func mismatch(err error) string {
	if wrong := (*yaml.TypeError)(nil); errors.As(err, &wrong) && len(wrong.Errors) > 0 {
		return goType.ReplaceAllString(wrong.Errors[0], "")
	}
	return problemOf(err)
}

// readObject reads an object, or a list of them. The items of a list such as RoleList may leave out
// their kind.
func (s *Set) readObject(name string, n *yaml.Node, h head, findings *diag.Findings) {
	if n.Kind != yaml.MappingNode || n.Decode(&h) != nil {
		return
	}
	if kind, list := strings.CutSuffix(h.Kind, "List"); list {
		for i := range h.Items {
			s.readObject(name, &h.Items[i], head{APIVersion: h.APIVersion, Kind: kind}, findings)
		}
		return
	}
	if !strings.HasPrefix(h.APIVersion, rbacGroup) {
		s.readOther(name, n, h)
		return
	}
	var o object
	if err := n.Decode(&o); err != nil {
		findings.Unreadf(position(name, n), diag.Syntax, "expected a %s, found %s", h.Kind, mismatch(err))
		return
	}
	s.addObject(name, n, h.Kind, o, findings)
}

func (s *Set) addObject(name string, n *yaml.Node, kind string, o object, findings *diag.Findings) {
	switch kind {
	case kindRole, kindClusterRole:
		role := &Role{Pos: position(name, valueOf(n, "kind")), Kind: kind, Name: o.Metadata.Name, Namespace: o.Metadata.Namespace, Labels: o.Metadata.Labels}
		for i := range o.Rules {
			rule, err := ruleOf(name, &o.Rules[i])
			if err != nil {
				findings.Unreadf(position(name, &o.Rules[i]), diag.Syntax, "expected a rule with lists of apiGroups, resources and verbs, found %s", mismatch(err))
				continue
			}
			role.Rules = append(role.Rules, rule)
		}
		for _, sel := range o.AggregationRule.ClusterRoleSelectors {
			role.Aggregates = append(role.Aggregates, sel.api())
		}
		s.Roles = append(s.Roles, role)
	case kindRoleBinding, kindClusterRoleBinding:
		for i, subject := range o.Subjects {
			if user, ok := strings.CutPrefix(subject.Name, accountUser); ok && subject.Kind == kindUser {
				namespace, account, _ := strings.Cut(user, ":")
				o.Subjects[i] = Subject{kindServiceAccount, account, namespace}
			}
		}
		s.Bindings = append(s.Bindings, &Binding{
			Pos: position(name, valueOf(n, "kind")), Kind: kind, Namespace: o.Metadata.Namespace,
			RoleKind: o.RoleRef.Kind, RoleName: o.RoleRef.Name, Subjects: o.Subjects,
		})
	}
}

func ruleOf(name string, n *yaml.Node) (*Rule, error) {
	var r struct {
		APIGroups     []string `yaml:"apiGroups"`
		Resources     []string
		Verbs         []string
		ResourceNames []string `yaml:"resourceNames"`
	}
	err := n.Decode(&r)
	return &Rule{Pos: position(name, n), Groups: r.APIGroups, Resources: r.Resources, Verbs: r.Verbs, Names: r.ResourceNames}, err
}

func (s selector) api() metav1.LabelSelector {
	l := metav1.LabelSelector{MatchLabels: s.MatchLabels}
	for _, e := range s.MatchExpressions {
		l.MatchExpressions = append(l.MatchExpressions, metav1.LabelSelectorRequirement{Key: e.Key, Operator: e.Operator, Values: e.Values})
	}
	return l
}

func position(name string, n *yaml.Node) diag.Pos {
	return diag.Pos{File: name, Line: n.Line, Column: n.Column}
}

// valueOf returns the value of a key in a mapping, or the mapping itself.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return n
}

// unrendered reports whether a text is a Helm template, which is no YAML until Helm renders it.
func unrendered(data []byte) bool {
	return utf8.Valid(data) && slices.ContainsFunc([]string{"{{-", "{{ ", "{{."}, func(s string) bool { return bytes.Contains(data, []byte(s)) })
}
