package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
		list, err := fromJSON(trimmed)
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

var errNoJSON = errors.New("no JSON")

// fromJSON reads a sequence of values, as kubectl get --watch -o json prints them.
func fromJSON(text string) ([]Stored, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	list := []Stored{}
	for first := true; ; first = false {
		var value json.RawMessage
		err := decoder.Decode(&value)
		switch {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil && first:
			return nil, errNoJSON
		case err != nil:
			return nil, fmt.Errorf("the text after the first %d events is not JSON: %w", len(list), err)
		}
		more, err := fromValue(value)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
}

// fromValue reads an event, a list or an array of events, or a change of a watch.
func fromValue(value json.RawMessage) ([]Stored, error) {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return nil, errNoJSON
		}
		return fromValues(items)
	}
	var object struct {
		Kind   string
		Items  []json.RawMessage
		Object json.RawMessage // of a watch with --output-watch-events
	}
	if err := json.Unmarshal(value, &object); err != nil {
		return nil, errNoJSON
	}
	switch {
	case object.Items != nil || strings.HasSuffix(object.Kind, "List"):
		return fromValues(object.Items)
	case object.Object != nil:
		return fromValue(object.Object)
	}
	var s stored
	if err := json.Unmarshal(value, &s); err != nil {
		return nil, errNoJSON
	}
	event, err := s.event()
	return []Stored{event}, err
}

func fromValues(values []json.RawMessage) ([]Stored, error) {
	list := []Stored{}
	for _, value := range values {
		more, err := fromValue(value)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// yamlStart matches the beginning of an event, or of a list or array of events, in kubectl's YAML.
var yamlStart = regexp.MustCompile(`^(---\s*\n)?(-\s+)?(action|apiVersion|count|deprecated\w+|eventTime|firstTimestamp|involvedObject|items|kind|lastTimestamp|message|metadata|note|object|reason|regarding|type):(\s|$)`)

var yamlSeparator = regexp.MustCompile(`(?m)^---\s*$`)

// fromYAML reads a sequence of documents.
func fromYAML(text string) ([]Stored, error) {
	list := []Stored{}
	for _, document := range yamlSeparator.Split(text, -1) {
		if strings.TrimSpace(document) == "" {
			continue
		}
		value, err := yaml.YAMLToJSON([]byte(document))
		if err != nil {
			return nil, fmt.Errorf("the YAML can't be read: %w", err)
		}
		more, err := fromValue(value)
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
