package scan

import (
	"go/types"
	"slices"
	"strings"
)

// Param returns the parameter that a part stands for, as its function and index. The receiver has
// index -1. The function is nil for a function literal.
func (p Part) Param() (fn *types.Func, index int, ok bool) {
	if p.param == nil {
		return nil, 0, false
	}
	return p.param.fn.obj, p.param.index, true
}

// IsFromCaller reports whether callers decide the part.
func (p Part) IsFromCaller() bool { return p.symbolic() }

// IsFromCaller reports whether callers decide at least a part of the text.
func (t Text) IsFromCaller() bool { return t.symbolic() }

// Field returns the field that a part stands for, if callers pass the struct: the import path and
// name of the struct's type, and the field's name.
func (p Part) Field() (owner, name string, ok bool) {
	if p.field == nil || p.field.root == nil {
		return "", "", false
	}
	return p.field.owner, p.field.name, true
}

// Pending reports whether the part is a format of unknown text: callers pass it, or it is not
// constant and has arguments.
func (p Part) Pending() bool { return p.format != nil }

// opened returns the text with the parts of its formats without arguments. The event shows these
// parts; only a % in them starts a verb.
func (t Text) opened() Text {
	if !slices.ContainsFunc(t.Parts, func(p Part) bool { return p.bare }) {
		return t
	}
	var parts []Part
	for _, p := range t.Parts {
		if !p.bare {
			parts = appendPart(parts, p)
			continue
		}
		for _, inner := range (Text{Parts: p.format}).opened().Parts {
			parts = appendPart(parts, inner)
		}
	}
	t.Parts = parts
	return t
}

func (t Text) hasPercent() bool {
	return slices.ContainsFunc(t.Parts, func(p Part) bool { return strings.Contains(p.Literal, "%") })
}

// FormatParam returns the parameter that a pending format stands for, as Param does.
func (p Part) FormatParam() (fn *types.Func, index int, ok bool) {
	if len(p.format) != 1 || p.args == nil || len(p.args.parts) > 0 || p.args.rest == nil || p.args.rest.fn == nil {
		return nil, 0, false
	}
	return p.format[0].Param()
}

// FormatField returns the field that a pending format without arguments stands for, as Field does.
func (p Part) FormatField() (owner, name string, ok bool) {
	if len(p.format) != 1 || p.args != nil && (len(p.args.parts) > 0 || p.args.rest != nil) {
		return "", "", false
	}
	return p.format[0].Field()
}

// Along returns the alternatives that the same statement assigns as the other value's text, or all
// alternatives if it assigns none.
func (v Value) Along(other Text) []Text {
	var same []Text
	for _, t := range v.Alternatives {
		if other.Def != nil && t.Def == other.Def {
			same = append(same, t)
		}
	}
	if len(same) > 0 {
		return same
	}
	return v.Alternatives
}
