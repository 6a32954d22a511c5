package explain

import (
	"cmp"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// readLines reads the lines that kubectl get events, kubectl events and kubectl describe print; ok
// is false if there are none. It skips other lines, but takes the object's name and namespace from
// the rest of describe's output.
func readLines(r io.Reader, each func(Stored) error) (ok bool, err error) {
	var t table
	var about Reference
	in := lines(r, mostMessage)
	for in.Scan() {
		line := strings.TrimRight(in.Text(), " \t\r")
		switch {
		case t.isHeader(line), noEvents.MatchString(line):
			ok = true
		case strings.HasPrefix(line, "Name:"):
			about = Reference{Name: strings.TrimSpace(strings.TrimPrefix(line, "Name:"))}
		case strings.HasPrefix(line, "Namespace:"):
			about.Namespace = strings.TrimSpace(strings.TrimPrefix(line, "Namespace:"))
		default:
			if s, found := t.row(line); found {
				if s.Regarding == (Reference{}) {
					s.Regarding = about
				}
				ok = true
				if err := each(s); err != nil {
					return ok, err
				}
			}
		}
	}
	return ok, endOf(in, mostMessage)
}

// noEvents is kubectl's output if there are no events.
var noEvents = regexp.MustCompile(`^Events:\s*<none>$|^No (resources|events) found\b`)

// table holds the starts of the columns in the last header, in characters.
type table struct{ columns []column }

type column struct {
	name  string
	start int
}

// headers matches the column titles of kubectl's tables of events. A table with MESSAGE and REASON
// is one of events.
var headers = regexp.MustCompile(`(?i)\b(NAMESPACE|LAST SEEN|FIRST SEEN|TYPE|REASON|OBJECT|SUBOBJECT|SOURCE|MESSAGE|COUNT|NAME|AGE|FROM)\b`)

// isHeader reports whether a line is a header, and records its columns.
func (t *table) isHeader(line string) bool {
	if !strings.Contains(line, "REASON") && !strings.Contains(line, "Reason") {
		return false
	}
	if rest := strings.TrimSpace(headers.ReplaceAllString(line, "")); rest != "" {
		return false
	}
	var columns []column
	names := map[string]bool{}
	for _, found := range headers.FindAllStringIndex(line, -1) {
		name := strings.ToUpper(line[found[0]:found[1]])
		names[name] = true
		columns = append(columns, column{name, utf8.RuneCountInString(line[:found[0]])})
	}
	if !names["REASON"] || !names["MESSAGE"] || !names["TYPE"] {
		return false
	}
	t.columns = columns
	return true
}

// row reads a line by the columns of the header. Without a header, or if the line does not fit the
// columns, it uses fromLook.
func (t *table) row(line string) (Stored, bool) {
	if !strings.Contains(line, "Normal") && !strings.Contains(line, "Warning") {
		return Stored{}, false
	}
	if fields := t.fields(line); fields != nil {
		if s, ok := fromFields(fields); ok {
			return s, true
		}
	}
	return fromLook(line)
}

// fields splits a line at the columns; nil if a value crosses the start of a column.
func (t *table) fields(line string) map[string]string {
	runes := []rune(line)
	fields := map[string]string{}
	for i, c := range t.columns {
		start, end := min(c.start, len(runes)), len(runes)
		if i+1 < len(t.columns) {
			end = min(t.columns[i+1].start, len(runes))
		}
		if start > 0 && start < len(runes) && runes[start-1] != ' ' {
			return nil
		}
		fields[c.name] = strings.TrimSpace(string(runes[start:end]))
	}
	return fields
}

func fromFields(fields map[string]string) (Stored, bool) {
	if !isType(fields["TYPE"]) || fields["REASON"] == "" || strings.ContainsRune(fields["REASON"], ' ') {
		return Stored{}, false
	}
	s := Stored{Type: fields["TYPE"], Reason: fields["REASON"], Message: fields["MESSAGE"], Regarding: object(fields["OBJECT"])}
	s.Regarding.Namespace = fields["NAMESPACE"]
	// "kubelet, node-1"
	s.Controller, _, _ = strings.Cut(cmp.Or(fields["SOURCE"], fields["FROM"]), ",")
	if age := cmp.Or(fields["LAST SEEN"], fields["AGE"]); age != "<unknown>" {
		s.Age = age
	}
	return s, true
}

func isType(text string) bool { return text == "Normal" || text == "Warning" }

var (
	// getLine is a line of kubectl get events or kubectl events: last seen, type, reason, object,
	// message.
	getLine = regexp.MustCompile(`(?:^|\s)(Normal|Warning)\s{2,}(\S+)\s{2,}([A-Za-z][A-Za-z0-9.]*/\S+)\s{2,}(\S.*)$`)
	// describeLine is a line of kubectl describe: type, reason, age, from, message.
	describeLine = regexp.MustCompile(`^\s*(Normal|Warning)\s{2,}(\S+)\s{2,}(?:<unknown>|[0-9][0-9a-z]*)(?: \(x[0-9]+ over [0-9a-z]+\))?\s{2,}(\S+(?:, \S+)?)\s{2,}(\S.*)$`)
)

// fromLook reads a line whose columns are separated by two or more spaces.
func fromLook(line string) (Stored, bool) {
	if m := getLine.FindStringSubmatch(line); m != nil {
		return Stored{Type: m[1], Reason: m[2], Regarding: object(m[3]), Message: m[4]}, true
	}
	if m := describeLine.FindStringSubmatch(line); m != nil {
		controller, _, _ := strings.Cut(m[3], ",")
		return Stored{Type: m[1], Reason: m[2], Controller: controller, Message: m[4]}, true
	}
	return Stored{}, false
}

// object reads kind/name. kubectl get events writes the kind in lower case.
func object(text string) Reference {
	kind, name, _ := strings.Cut(text, "/")
	kind, _, _ = strings.Cut(kind, ".")
	return Reference{Kind: kind, Name: name}
}
