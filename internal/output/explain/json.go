package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// errNoJSON is the error of text that is no JSON from its beginning, or whose JSON has no events.
var errNoJSON = errors.New("no JSON")

// ErrEmpty is the error of input without text. If there are no events, kubectl prints an empty list
// as JSON, and no lines.
var ErrEmpty = errors.New("the input is empty: kubectl failed, or found no events; kubectl get events -o json prints an empty list then")

// ReadJSON reads events in a sequence of JSON values: events, lists, arrays, and changes of a
// watch. It calls each for every event, and keeps one event in memory at a time.
func ReadJSON(r io.Reader, each func(Stored) error) error {
	in := &bounded{from: afterMark(r)}
	in.decoder = json.NewDecoder(in)
	s := stream{decoder: in.decoder, each: each}
	for first := true; ; first = false {
		err := s.value()
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && first:
			return ErrEmpty
		case errors.Is(err, io.EOF):
			return nil
		default:
			return s.explained(err)
		}
	}
}

// afterMark returns a reader without the byte order mark at its beginning.
func afterMark(r io.Reader) io.Reader {
	var first [3]byte
	n, _ := io.ReadFull(r, first[:]) // the next read repeats an error
	return io.MultiReader(bytes.NewReader(diag.WithoutMark(first[:n])), r)
}

// mostValue bounds a value that is kept in memory, in bytes; an object of the API server has at
// most 3 MiB. mostNested bounds lists in lists.
const (
	mostValue  = 16 << 20
	mostNested = 100
)

// bounded ends the text for a decoder that holds too much of it.
type bounded struct {
	from    io.Reader
	decoder *json.Decoder
	read    int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.read-b.decoder.InputOffset() > mostValue {
		return 0, fmt.Errorf("expected events, found a value of more than %d MiB", mostValue>>20)
	}
	n, err := b.from.Read(p)
	b.read += int64(n)
	return n, err
}

// stream reads events from a decoder. An io.EOF is the end between two values; inside of a value it
// becomes io.ErrUnexpectedEOF.
type stream struct {
	decoder *json.Decoder
	each    func(Stored) error
	events  int
	depth   int // of parts
}

// explained says what is wrong with JSON.
func (s *stream) explained(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the JSON is cut off after %s", format.Count(s.events, "event"))
	case errors.As(err, &syntax), errors.As(err, &kind):
		if s.events == 0 {
			return fmt.Errorf("%w: %w", errNoJSON, err)
		}
		return fmt.Errorf("the text after the first %s is not JSON of events: %w", format.Count(s.events, "event"), err)
	}
	return err
}

// value reads a list, an array, an event, or a change of a watch.
func (s *stream) value() error {
	token, err := s.decoder.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		return s.items()
	case json.Delim('{'):
		return s.object()
	}
	return errNoJSON
}

// items reads the rest of an array.
func (s *stream) items() error {
	for s.decoder.More() {
		var e element
		if err := s.decoder.Decode(&e); err != nil {
			return inside(err)
		}
		if err := s.element(&e); err != nil {
			return err
		}
	}
	return s.end()
}

// object reads the rest of an object. Its other keys can stand before and after items.
func (s *stream) object() error {
	fields := map[string]json.RawMessage{}
	listed := false
	for s.decoder.More() {
		key, err := s.decoder.Token()
		if err != nil {
			return inside(err)
		}
		if key == "items" {
			listed = true
			if err := s.list(); err != nil {
				return err
			}
			continue
		}
		var value json.RawMessage
		if err := s.decoder.Decode(&value); err != nil {
			return inside(err)
		}
		fields[key.(string)] = value
	}
	if err := s.end(); err != nil {
		return err
	}
	if listed {
		return expectWhole(fields)
	}
	whole, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	var e element
	if err := json.Unmarshal(whole, &e); err != nil {
		return err
	}
	return s.element(&e)
}

// expectWhole reports a list of other objects, and one of several pages of a list.
func expectWhole(list map[string]json.RawMessage) error {
	var page struct{ Continue string }
	if json.Unmarshal(list["metadata"], &page) == nil && page.Continue != "" {
		return errors.New("the list is one of several pages, since it has metadata.continue; read all: kubectl get events -A -o json")
	}
	return expectList(strings.Trim(string(list["kind"]), `"`))
}

// expectList reports the kind of a list of other objects, which may be empty.
func expectList(name string) error {
	switch name {
	case "", "List", "EventList":
		return nil
	default:
		return fmt.Errorf("expected a List of events, as kubectl get events -o json prints it, found kind %s", eventrt.Clean(name, mostText))
	}
}

// list reads the items of a list, which can be null.
func (s *stream) list() error {
	token, err := s.decoder.Token()
	switch {
	case err != nil:
		return inside(err)
	case token == nil:
		return nil
	case token != json.Delim('['):
		return errNoJSON
	}
	return s.items()
}

// end reads the end of an array or object.
func (s *stream) end() error {
	_, err := s.decoder.Token()
	return inside(err)
}

// inside returns the error of a value that is not complete.
func inside(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// element is an event, or what can hold events in its place.
type element struct {
	stored
	Items  json.RawMessage `json:"items"`
	Object json.RawMessage `json:"object"` // of a watch with --output-watch-events
}

func (s *stream) element(e *element) error {
	switch {
	case e.Object != nil && e.Type == "BOOKMARK":
		return nil
	case e.Object != nil:
		return s.part(e.Object)
	case e.Items != nil:
		return s.part(e.Items)
	case strings.HasSuffix(e.Kind, "List"):
		return expectList(e.Kind)
	}
	event, err := e.event()
	if err != nil {
		return err
	}
	if e.Kind == "" && event.Reason == "" && event.Message == "" && event.Regarding == (Reference{}) {
		return errors.New("expected an Event, as kubectl get events -o json prints it, found no kind, reason, message or object")
	}
	s.events++
	return s.each(event)
}

// part reads the events of a part of a value.
func (s *stream) part(value json.RawMessage) error {
	inner := stream{decoder: json.NewDecoder(bytes.NewReader(value)), each: s.each, events: s.events, depth: s.depth + 1}
	if inner.depth > mostNested {
		return fmt.Errorf("expected events, found lists in lists, more than %d deep", mostNested)
	}
	err := inner.value()
	s.events = inner.events
	return err
}
