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
