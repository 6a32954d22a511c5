package explain

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Parse reads events as kubectl prints them. JSON and YAML can be one event, a list, an array, a
// stream or a watch. Lines can be those of get events, events or describe. Any other text is a
// message. A list may be empty.
func Parse(text string) ([]Stored, error) {
	text = string(diag.WithoutMark([]byte(text)))
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return nil, errors.New("nothing to explain: give a message, or events as kubectl prints them")
	case trimmed[0] == '{' || trimmed[0] == '[':
		list, err := listJSON(trimmed)
		if errors.Is(err, errNoJSON) {
			return []Stored{{Message: trimmed}}, nil // a message may begin with a brace
		}
		return list, err
	case yamlStart.MatchString(trimmed):
		return fromYAML(trimmed)
	}
	if list, ok := fromLines(text); ok {
		return list, nil
	}
	return []Stored{{Message: trimmed}}, nil
}

// yamlStart matches the beginning of an event, or of a list or array of events, in kubectl's YAML.
var yamlStart = regexp.MustCompile(`^(---\s*\n)?(-\s+)?(action|apiVersion|count|deprecated\w+|eventTime|firstTimestamp|involvedObject|items|kind|lastTimestamp|message|metadata|note|object|reason|regarding|type):(\s|$)`)

var yamlSeparator = regexp.MustCompile(`(?m)^---\s*$`)

// yamlList matches a list of events, and listKind the key that follows its items. kubectl sorts the
// keys, so a list without its kind was cut off.
var (
	yamlList = regexp.MustCompile(`(?m)^items:`)
	listKind = regexp.MustCompile(`(?m)^kind:`)
)

// fromYAML reads a sequence of documents.
func fromYAML(text string) ([]Stored, error) {
	list := []Stored{}
	for _, document := range yamlSeparator.Split(text, -1) {
		if strings.TrimSpace(document) == "" {
			continue
		}
		if yamlList.MatchString(document) && !listKind.MatchString(document) {
			return nil, errors.New("the YAML is cut off: a list of events has its kind after the items")
		}
		value, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return nil, fmt.Errorf("the YAML can't be read: %w", err)
		}
		more, err := listJSON(string(value))
		if errors.Is(err, errNoJSON) {
			return nil, errors.New("the YAML has no events; give events as kubectl get events -o yaml prints them")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}
