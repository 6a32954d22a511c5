package scan

import "go/types"

// Param is the parameter that a part of a text is, as far as callers decide it: the function, and the index of the parameter; -1 is
// the receiver. The function is nil for a function literal.
func (p Part) Param() (fn *types.Func, index int, ok bool) {
	if p.param == nil {
		return nil, 0, false
	}
	return p.param.fn.obj, p.param.index, true
}

// Field is the field that a part of a text is, of a struct that callers hand over: import path and name of the struct's type, and
// the field's name.
func (p Part) Field() (owner, name string, ok bool) {
	if p.field == nil || p.field.root == nil {
		return "", "", false
	}
	return p.field.owner, p.field.name, true
}

// Pending reports whether the part is a format that callers give: what it renders can't be seen.
func (p Part) Pending() bool { return p.format != nil }

// FormatParam is the parameter that a pending format is, as Param gives it.
func (p Part) FormatParam() (fn *types.Func, index int, ok bool) {
	if len(p.format) != 1 || p.args == nil || len(p.args.parts) > 0 || p.args.rest == nil || p.args.rest.fn == nil {
		return nil, 0, false
	}
	return p.format[0].Param()
}

// Along are the alternatives that the statement which gives another value's text gives too, or all where none is.
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
