package explain

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// Parse is Read for a text.
func Parse(text string) ([]Stored, error) {
	list := []Stored{}
	err := Read(strings.NewReader(text), func(s Stored) error {
		list = append(list, s)
		return nil
	})
	return list, err
}

// Read reads events as kubectl prints them, and calls each for every one. JSON and YAML can be one
// event, a list, an array, a stream or a watch. Lines can be those of get events, events or
// describe. Any other text is a message. A list may be empty. Read keeps one event in memory at a
// time, so what is wrong with the rest is found after the events before it.
func Read(r io.Reader, each func(Stored) error) error {
	var kept head
	in := bufio.NewReader(io.TeeReader(afterMark(r), &kept))
	indent, err := skipBlanks(in)
	if errors.Is(err, io.EOF) {
		return ErrEmpty
	} else if err != nil {
		return err
	}
	start, _ := in.Peek(in.Size()) // the next read repeats an error
	found := false
	switch {
	case !isUTF8(start):
		return errors.New("expected UTF-8; the > of Windows PowerShell writes UTF-16")
	case start[0] == '{' || start[0] == '[':
		if err = ReadJSON(in, each); !errors.Is(err, errNoJSON) {
			return err // else a message that begins with a brace
		}
	case yamlStart.Match(start):
		return readYAML(in, each)
	default:
		if found, err = readLines(io.MultiReader(strings.NewReader(indent), in), each); found || err != nil {
			return err
		}
	}
	if _, err := io.CopyN(io.Discard, in, mostMessage); !errors.Is(err, io.EOF) || len(kept) >= mostMessage {
		return fmt.Errorf("expected events as kubectl prints them, or a message of less than %d KiB", mostMessage>>10)
	}
	return each(Stored{Message: strings.TrimSpace(string(kept))})
}

// mostMessage bounds a message, and a line of kubectl's, in bytes.
const mostMessage = 1 << 20

// head keeps the beginning of what is written to it.
type head []byte

func (h *head) Write(p []byte) (int, error) {
	*h = append(*h, p[:min(len(p), mostMessage-len(*h))]...)
	return len(p), nil
}

// skipBlanks reads to the first character that is no blank. It returns the blanks before it in its
// line.
func skipBlanks(in *bufio.Reader) (indent string, err error) {
	for {
		switch c, err := in.ReadByte(); {
		case err != nil:
			return "", err
		case c == '\n':
			indent = ""
		case c != ' ' && c != '\t' && c != '\r':
			return indent, in.UnreadByte()
		case len(indent) < 1024: // no table of kubectl's is indented more
			indent += string(c)
		}
	}
}

func isUTF8(text []byte) bool {
	for utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			return false
		}
		text = text[size:]
	}
	return true
}

// lines returns a scanner of lines of at most limit bytes.
func lines(r io.Reader, limit int) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(nil, limit)
	return s
}

// endOf returns why a scanner has ended; nil at the end of the text.
func endOf(s *bufio.Scanner, limit int) error {
	if err := s.Err(); !errors.Is(err, bufio.ErrTooLong) {
		return err
	}
	return fmt.Errorf("expected events as kubectl prints them, found a line of more than %d KiB", limit>>10)
}

// yamlStart matches the beginning of an event, or of a list or array of events, in kubectl's YAML.
var yamlStart = regexp.MustCompile(`^(---\s*\n)?(-\s+)?(action|apiVersion|count|deprecated\w+|eventTime|firstTimestamp|involvedObject|items|kind|lastTimestamp|message|metadata|note|object|reason|regarding|type):(\s|$)`)

var yamlSeparator = regexp.MustCompile(`^---\s*$`)

// mostYAML bounds an event in YAML, and a document without its items, in bytes: reading YAML takes
// many times its size.
const mostYAML = 4 << 20

// readYAML reads a sequence of documents. The items of a list, which kubectl does not indent, are
// read one by one.
func readYAML(r io.Reader, each func(Stored) error) error {
	d := yamlDocument{each: each}
	in := lines(r, mostYAML)
	for in.Scan() {
		if err := d.line(in.Bytes()); err != nil {
			return err
		}
	}
	if err := endOf(in, mostYAML); err != nil {
		return err
	}
	return d.end()
}

// yamlDocument is a document whose lines are read.
type yamlDocument struct {
	each func(Stored) error
	// keys holds the lines without the items, and item those of one item.
	keys, item bytes.Buffer
	listed     bool // items can begin
}

func (d *yamlDocument) line(line []byte) error {
	into := &d.keys
	switch {
	case yamlSeparator.Match(line):
		return d.end()
	case bytes.HasPrefix(line, []byte("-")) && (d.listed || len(bytes.TrimSpace(d.keys.Bytes())) == 0):
		d.listed = true
		if err := d.flush(&d.item); err != nil {
			return err
		}
		into = &d.item
	case len(bytes.TrimSpace(line)) == 0 || line[0] == ' ' || line[0] == '#':
		if d.item.Len() > 0 {
			into = &d.item
		}
	default:
		d.listed = bytes.HasPrefix(line, []byte("items:"))
		if err := d.flush(&d.item); err != nil {
			return err
		}
	}
	into.Write(append(line, '\n'))
	if into.Len() > mostYAML {
		return fmt.Errorf("expected events, found YAML of more than %d MiB without a list's item; kubectl get events -o json can be of any size", mostYAML>>20)
	}
	return nil
}

// yamlList matches a list of events, and listKind the key that follows its items. kubectl sorts the
// keys, so a list without its kind was cut off.
var (
	yamlList = regexp.MustCompile(`(?m)^items:`)
	listKind = regexp.MustCompile(`(?m)^kind:`)
)

// end reads the last item of a document, and its keys.
func (d *yamlDocument) end() error {
	if err := d.flush(&d.item); err != nil {
		return err
	}
	d.listed = false
	if yamlList.Match(d.keys.Bytes()) && !listKind.Match(d.keys.Bytes()) {
		return errors.New("the YAML is cut off: a list of events has its kind after the items")
	}
	return d.flush(&d.keys)
}

// flush reads the events of a part of a document.
func (d *yamlDocument) flush(part *bytes.Buffer) error {
	defer part.Reset()
	if len(bytes.TrimSpace(part.Bytes())) == 0 {
		return nil
	}
	value, err := yaml.YAMLToJSON(part.Bytes())
	if err != nil {
		return fmt.Errorf("the YAML can't be read: %w", err)
	}
	if err = ReadJSON(bytes.NewReader(value), d.each); errors.Is(err, errNoJSON) {
		return errors.New("the YAML has no events; give events as kubectl get events -o yaml prints them")
	}
	return err
}
