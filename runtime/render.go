package eventrt

import (
	"cmp"
	"math"
	"strconv"
	"time"
)

// Bounds of what a placeholder for an object shows, in bytes (apimachinery pkg/util/validation).
const (
	maxNameBytes      = 253
	maxNamespaceBytes = 63
	maxKindBytes      = 63
	maxUIDBytes       = 36
)

const redacted = "<redacted>"

func appendMessage(b []byte, def *Definition, regarding, related *ObjectRef, args []Arg) []byte {
	start := len(b)
	b = appendSegments(b, def, def.Message, regarding, related, args)
	if def.verbatim {
		return b
	}
	return limit(b, start, noteBound(0))
}

func appendAnnotation(b []byte, def *Definition, value []Segment, regarding, related *ObjectRef, args []Arg) []byte {
	start := len(b)
	b = appendSegments(b, def, value, regarding, related, args)
	return limit(b, start, MaxNoteBytes)
}

// limit cuts the text appended since start to at most most bytes. The text is clean already.
func limit(b []byte, start, most int) []byte {
	if len(b)-start <= most {
		return b
	}
	return appendClean(b[:start], string(b[start:]), most)
}

func appendSegments(b []byte, def *Definition, segments []Segment, regarding, related *ObjectRef, args []Arg) []byte {
	prefix := def.RelatedPrefix
	for i := range segments {
		s := &segments[i]
		b = append(b, s.Text...)
		switch s.Value {
		case NoValue:
		case ParamValue:
			if s.Param < len(args) && s.Param < len(def.Params) {
				b = appendParam(b, &def.Params[s.Param], &args[s.Param])
			}
		case RegardingName, RegardingNamespace, RegardingKind, RegardingUID:
			b = appendObject(b, s.Value-RegardingName, regarding)
		default:
			if !related.present {
				continue
			}
			b, prefix = append(b, prefix...), ""
			b = appendObject(b, s.Value-RelatedName, related)
		}
	}
	return b
}

// appendObject shows part 0 to 3 of an object: name, namespace, kind, UID.
func appendObject(b []byte, part Value, o *ObjectRef) []byte {
	switch part {
	case 0:
		return append(b, Clean(o.Name, maxNameBytes)...)
	case 1:
		return append(b, Clean(o.Namespace, maxNamespaceBytes)...)
	case 2:
		return append(b, Clean(o.Kind, maxKindBytes)...)
	default:
		return append(b, Clean(o.UID, maxUIDBytes)...)
	}
}

func appendParam(b []byte, p *Param, a *Arg) []byte {
	if p.Optional && a.absent() {
		return b
	}
	b = append(b, p.Prefix...)
	start := len(b)
	b = appendArg(b, p, a)
	if p.Quote {
		return limit(b, start, noteBound(p.MaxBytes))
	}
	return b
}

func appendArg(b []byte, p *Param, a *Arg) []byte {
	switch a.kind {
	case argText, argUnknown:
		if p.Quote {
			return strconv.AppendQuote(b, a.text)
		}
		return append(b, a.text...)
	case argBool:
		return strconv.AppendBool(b, a.num != 0)
	case argInt:
		return strconv.AppendInt(b, int64(a.num), 10)
	case argUint:
		return strconv.AppendUint(b, a.num, 10)
	case argFloat:
		return appendFloat(b, p, math.Float64frombits(a.num))
	case argDuration:
		return appendDuration(b, p, time.Duration(a.num))
	case argTime:
		return appendTime(b, p, a)
	case argRedacted:
		return append(b, redacted...)
	}
	return b
}

// exponentBytes is the length of a number in scientific notation without the digits behind the
// point: -1.e+308.
const exponentBytes = 8

// appendFloat shows a float. If the text exceeds the param's bound, it is shown in scientific
// notation, with as many digits as fit, because a number that is cut would be another number.
func appendFloat(b []byte, p *Param, v float64) []byte {
	start := len(b)
	if p.Precision > 0 {
		b = strconv.AppendFloat(b, v, 'f', p.Precision-1, 64)
	} else {
		b = strconv.AppendFloat(b, v, 'g', -1, 64)
	}
	if p.MaxBytes > 0 && len(b)-start > p.MaxBytes {
		b = strconv.AppendFloat(b[:start], v, 'e', max(0, p.MaxBytes-exponentBytes), 64)
	}
	return b
}

func appendDuration(b []byte, p *Param, d time.Duration) []byte {
	if p.Round > 0 {
		d = d.Round(p.Round)
	}
	if p.Unit <= 0 {
		return append(b, d.String()...)
	}
	b = strconv.AppendInt(b, int64(d/p.Unit), 10)
	return append(b, unitName(p.Unit)...)
}

func unitName(unit time.Duration) string {
	switch unit {
	case time.Nanosecond:
		return "ns"
	case time.Microsecond:
		return "µs"
	case time.Millisecond:
		return "ms"
	case time.Minute:
		return "m"
	case time.Hour:
		return "h"
	}
	return "s"
}

func appendTime(b []byte, p *Param, a *Arg) []byte {
	var t time.Time
	if a.nsec >= 0 {
		t = time.Unix(int64(a.num), int64(a.nsec))
	}
	return t.UTC().AppendFormat(b, cmp.Or(p.Layout, time.RFC3339))
}

func fieldPath(def *Definition, args []Arg) string {
	if !hasContainer(def, args) {
		return ""
	}
	return def.FieldPath + "{" + args[def.FieldPathParam].text + "}"
}

// hasContainer reports whether a definition has a container param, and the arguments name one.
func hasContainer(def *Definition, args []Arg) bool {
	return def != nil && def.FieldPath != "" && def.FieldPathParam < len(args) && args[def.FieldPathParam].text != ""
}
