package v1alpha1

import (
	"bytes"
	"encoding/json"
)

// decode reads a form as strictly as the document around it.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// either reads the short form, which is text, or the full form.
func either(data []byte, short *string, full any) error {
	if isString(data) {
		return json.Unmarshal(data, short)
	}
	return decode(data, full)
}

func isString(data []byte) bool { return len(data) > 0 && data[0] == '"' }

// UnmarshalJSON reads a group version or the full form.
func (o *Object) UnmarshalJSON(data []byte) error {
	type full Object
	return either(data, &o.Version, (*full)(o))
}

// UnmarshalJSON reads an alias, a list of them or the full form.
func (r *Regarding) UnmarshalJSON(data []byte) error {
	if isString(data) {
		r.Objects = make([]string, 1)
		return json.Unmarshal(data, &r.Objects[0])
	}
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, &r.Objects)
	}
	type full Regarding
	return decode(data, (*full)(r))
}

// UnmarshalJSON reads an alias or the full form.
func (r *Related) UnmarshalJSON(data []byte) error {
	type full Related
	return either(data, &r.Object, (*full)(r))
}

// UnmarshalJSON reads a type or the full form.
func (p *ParamType) UnmarshalJSON(data []byte) error {
	type full ParamType
	return either(data, &p.Short, (*full)(p))
}

// UnmarshalJSON reads the short form ("from int32", "cause") or the full form.
func (p *Param) UnmarshalJSON(data []byte) error {
	if isString(data) {
		return json.Unmarshal(data, &p.Short)
	}
	type options ParamType
	full := struct {
		Name string `json:"name"`
		options
	}{}
	err := decode(data, &full)
	p.Name, p.ParamType = full.Name, ParamType(full.options)
	return err
}

// UnmarshalJSON reads a summary or the full form.
func (d *Doc) UnmarshalJSON(data []byte) error {
	type full Doc
	return either(data, &d.Summary, (*full)(d))
}
