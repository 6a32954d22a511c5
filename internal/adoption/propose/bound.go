package propose

import (
	"strings"
)

// The bytes of a note that a message may take, as the generator counts them, and the least number
// of bytes for the param without a bound of its own.
const (
	mostNote  = 992
	leastRest = 16
	// usual is the bound of a text among several.
	usual = 253
	least = 24
)

// fixed maps types to the most bytes of their values.
var fixed = map[string]int{
	"bool": 5, "int": 20, "int64": 20, "int32": 11, "uint32": 10, "float64": 24, "duration": 25, "name": 253, "namespace": 63,
	"uid": 36, "namespacedName": 317,
}

// objectParts maps the parts of an object that a message can show to their most bytes.
var objectParts = map[string]int{".name": 253, ".namespace": 63, ".kind": 63, ".uid": 36}

// bound sets bounds for the params of every message, so that the message fits. One text may take
// the bytes that the others leave.
func (c *Catalog) bound() {
	for _, e := range c.Events {
		if c.opts.Plain[e.Name] {
			e.plain()
		}
		if !e.fit() {
			e.plain()
		}
	}
}

// fit sets the bounds; it reports whether the message fits then.
func (e *Event) fit() bool {
	room := mostNote - len(placeholder.ReplaceAllString(e.Message, ""))
	for part, most := range objectParts {
		room -= most * (strings.Count(e.Message, "regarding"+part) + strings.Count(e.Message, "related"+part))
	}
	var open []*Param
	for _, p := range e.Params {
		uses := strings.Count(e.Message, "{"+p.Name+"}")
		switch most := fixed[p.Type]; {
		case uses == 0:
		case p.Precision >= 0:
			room -= uses * (311 + p.Precision)
		case most > 0:
			room -= uses * most
		case uses > 1:
			p.MaxBytes = usual / uses
			room -= uses * p.MaxBytes
		default:
			open = append(open, p)
		}
	}
	return share(room, open)
}

// share divides room among texts. The last error, or else the last text, takes the rest.
func share(room int, open []*Param) bool {
	if len(open) == 0 {
		return room >= 0
	}
	rest := len(open) - 1
	for i, p := range open {
		if p.Type == "error" {
			rest = i
		}
	}
	each := min(usual, (room-leastRest)/len(open))
	if len(open) > 1 && each < least {
		return false
	}
	for i, p := range open {
		if i != rest {
			p.MaxBytes = each
			room -= each
		}
	}
	return room >= leastRest
}
