package breaking

import (
	"reflect"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// row describes a change of one field of the model. If it has no rule, the parts of the field have
// rows.
type row struct {
	// rule is the rule that a change breaks. For a list with pairs, it is the rule that a removed
	// entry breaks.
	rule string
	// gained is the rule of a change from none to a value, if it is not rule: no alert matches what
	// events did not have.
	gained string
	// name is the field's name in messages.
	name string
	// pairs pairs the entries of a list. A newer entry without an older partner is an addition. The
	// parts of two partners have rows, unless this row has show.
	pairs func(s *site, was, is reflect.Value) []pairing
	// parts is true for a pointer whose target has rows. The rule is for a pointer that becomes
	// nil.
	parts bool
	// show returns the text of the value, which is compared and shown. The default is the method
	// show.
	show func(s *side, v reflect.Value) string
	// unless reports that a change breaks nothing, because the older value still works.
	unless func(s *site, was, is reflect.Value) bool
	// with returns the end of a message: what follows the field, and has no finding of its own.
	with func(s *site) string
	// key is the key of the field in the newer catalog, for the position of a finding. By default a
	// finding is at the site's position.
	key string
}

// table has a row for each field of the model whose change breaks something, by type and field.
// TestEveryFieldHasARow says of each other field why its change breaks nothing.
var table = map[string]row{
	"Package.Recorder":   {rule: "BG04", name: "recorder", key: "recorder"},
	"Package.For":        {rule: "BG04", name: "function"},
	"Package.FromEvents": {rule: "BG04", name: "function"},
	"Package.FromRecord": {rule: "BG04", name: "function"},
	"Package.HasFake":    {rule: "BG04", name: "package", show: forTests, unless: added},

	"Package.Transitions": {rule: "BG01", name: "method", pairs: pairBy("Type")},

	"Event.On":        {rule: "BW01", name: "transition", unless: added, key: "on"},
	"Event.Regarding": {},
	"Event.Also":      {rule: "BG03", name: "further object", pairs: pairAlso, key: "alsoOn"},
	"Event.Related":   {rule: "BG03", name: "related object", parts: true, key: "related"},
	"Event.Params":    {rule: "BG02", name: "field of the params", pairs: pairParams, key: "params"},
	"Event.ArgsType":  {rule: "BG02", name: "form of the params", show: form, key: "params"},
	"Event.Select":    {rule: "BW01", name: "select", unless: sameParam},
	"Event.Methods":   {rule: "BG01", name: "method", pairs: pairMethods, key: "regarding"},

	"Regarding.Objects":   {rule: "BW03", name: "kind", pairs: pairObjects, key: "regarding"},
	"Regarding.AnyOf":     {rule: "BG03", name: "regarding object", show: choice, unless: opened, key: "regarding"},
	"Regarding.Container": {rule: "BW03", gained: "BW05", name: "container", key: "regarding", unless: sameParam},

	"Related.Object":   {rule: "BG03", name: "related object", parts: true, key: "related"},
	"Related.ByName":   {rule: "BG03", name: "related object", show: passed, key: "related"},
	"Related.Optional": {rule: "BG03", name: "related object", show: presence, unless: added, key: "related"},

	"Also.Object": {rule: "BG03", name: "further object", parts: true, key: "alsoOn"},
	"Also.Wire":   {},

	"Object.GoType": {rule: "BG03", name: "object"},
	"Object.Scope":  {rule: "BW03", name: "scope", unless: gone},

	"Method.Name":      {rule: "BG01", name: "method", show: shownMethod, key: "regarding"},
	"Method.Regarding": {parts: true},
	"Method.Wire":      {},
	"Wire.Definitions": {rule: "BW02", name: "variant", pairs: pairVariants},

	"Param.GoType":     {rule: "BG02", name: "type", with: constants, key: "type"},
	"Param.Enum":       {parts: true},
	"Param.Convert":    {rule: "BW06", name: "form", unless: retyped},
	"Param.Extra":      {rule: "BW06", name: "separator"},
	"Param.MaxBytes":   {rule: "BW06", name: "maxBytes", show: bound, unless: retyped},
	"Param.Definition": {},

	"Enum.Values":    {rule: "BG01", name: "value", pairs: pairValues},
	"Constant.Value": {rule: "BW06", name: "text"},

	"Definition.ReasonConst": {rule: "BG01", name: "constant", unless: keepsConstant, key: "reason"},
	"Definition.Runtime":     {},

	// The stored fields of events.
	"eventrt.Definition.Subject":       {},
	"eventrt.Definition.Reason":        {rule: "BW01", name: "reason", with: action, key: "reason"},
	"eventrt.Definition.Action":        {rule: "BW01", name: "action", unless: followsReason, key: "action|reason"},
	"eventrt.Definition.Type":          {rule: "BW01", name: "type", key: "type"},
	"eventrt.Definition.Related":       {rule: "BW03", gained: "BW05", name: "kind of the related object", show: relatedKind, key: "related"},
	"eventrt.Definition.RelatedPrefix": {rule: "BW06", name: "prefix of the related object", key: "related"},
	"eventrt.Definition.Message":       {rule: "BW06", name: "message", show: template, unless: sameParams(template), key: "message"},
	"eventrt.Definition.Annotations":   {rule: "BW04", name: "annotation", pairs: pairBy("Key"), key: "annotations"},
	"eventrt.Definition.Labels":        {rule: labelRule, name: "label", pairs: pairBy("Key"), show: labelSelector, key: "labels|copyLabels"},
	"eventrt.Definition.Correlation":   {},

	"Subject.ReportingController": {rule: "BW01", name: "controller", show: controller, key: "reportingController"},
	"Subject.Regarding":           {rule: "BW03", name: "kind of the regarding object", key: "regarding", unless: oneOfSeveral},

	"AnnotationDefinition.Value": {rule: "BW04", name: "value", show: template, unless: sameParams(template), key: "annotations"},

	"eventrt.Param.Optional":  {rule: "BW06", name: "optional"},
	"eventrt.Param.Prefix":    {rule: "BW06", name: "prefix"},
	"eventrt.Param.Sensitive": {rule: "BW06", name: "sensitive"},
	"eventrt.Param.Quote":     {rule: "BW06", name: "quote"},
	"eventrt.Param.Layout":    {rule: "BW06", name: "layout"},
	"eventrt.Param.Precision": {rule: "BW06", name: "precision", show: precision},
	"eventrt.Param.Round":     {rule: "BW06", name: "round"},
	"eventrt.Param.Unit":      {rule: "BW06", name: "unit"},

	"Correlation.Merged":      {rule: "BW05", name: "correlation key", show: correlationKey, unless: sameParams(correlationKey), with: regrouped, key: "key"},
	"Correlation.LatestNote":  {rule: "BW06", name: "note", show: note, key: "correlation"},
	"Correlation.Limit":       {rule: "BW08", name: "limit", parts: true, key: "correlation"},
	"Correlation.Interval":    {rule: "BW08", name: "interval", show: unset(nothing), key: "correlation"},
	"Correlation.Window":      {rule: "BW07", name: "window", show: unset(hosts), key: "correlation"},
	"Correlation.Threshold":   {rule: "BW07", name: "threshold", show: unset(hosts), key: "correlation"},
	"Correlation.Burst":       {rule: "BW07", name: "budget.burst", show: unset(hosts), key: "correlation"},
	"Correlation.Every":       {rule: "BW07", name: "budget.every", show: unset(hosts), key: "correlation"},
	"Correlation.NoAggregate": {rule: "BW07", name: "aggregate", show: not, key: "correlation"},

	"Limit.Name":  {rule: "BW08", name: "limit", key: "correlation"},
	"Limit.Every": {rule: "BW08", name: "time to earn a token of the limit", key: "limit"},
	"Limit.Burst": {rule: "BW08", name: "burst of the limit", key: "limit"},
	"Limit.Wait":  {rule: "BW08", name: "wait of the limit", key: "limit"},
}

// keyOf returns the key of a field in the table. The key has the package's name if the type is of
// the run time and the model has a type of the same name.
func keyOf(t reflect.Type, field string) string {
	name := t.Name() + "." + field
	if t == reflect.TypeFor[eventrt.Definition]() || t == reflect.TypeFor[eventrt.Param]() {
		return "eventrt." + name
	}
	return name
}

// pairing is an entry of a list and its newer version. Either can be missing.
type pairing struct{ was, is reflect.Value }

// inOrder pairs the entries of lists by their positions.
func inOrder(_ *site, was, is reflect.Value) []pairing {
	pairs := make([]pairing, max(was.Len(), is.Len()))
	for i := range pairs {
		if i < was.Len() {
			pairs[i].was = was.Index(i)
		}
		if i < is.Len() {
			pairs[i].is = is.Index(i)
		}
	}
	return pairs
}

// pairBy pairs the entries of lists by a field. Their order does not matter.
func pairBy(field string) func(*site, reflect.Value, reflect.Value) []pairing {
	key := func(v reflect.Value) string { return reflect.Indirect(v).FieldByName(field).String() }
	return func(_ *site, was, is reflect.Value) []pairing { return pairKeyed(was, is, key, key) }
}

func pairKeyed(was, is reflect.Value, keyWas, keyIs func(reflect.Value) string) []pairing {
	var pairs []pairing
	for i := range was.Len() {
		p := pairing{was: was.Index(i)}
		for j := range is.Len() {
			if keyIs(is.Index(j)) == keyWas(p.was) {
				p.is = is.Index(j)
			}
		}
		pairs = append(pairs, p)
	}
	return pairs
}

// pairValues pairs the values of an enum by their constants. If the type has another name, so have
// all constants, and the finding about the type tells it.
func pairValues(s *site, was, is reflect.Value) []pairing {
	if old := s.old.param.Enum; old != nil && old.Type != s.now.param.Enum.Type {
		return pairBy("Value")(s, was, is)
	}
	return pairBy("Name")(s, was, is)
}

// pairMethods pairs methods by name. For a renamed event it compares the part after the event's
// name. The order does not matter.
func pairMethods(s *site, was, is reflect.Value) []pairing {
	name := func(side *side) func(reflect.Value) string {
		return func(v reflect.Value) string { return methodName(side, v.Elem().FieldByName("Name")) }
	}
	pairs := pairKeyed(was, is, name(&s.old), name(&s.now))
	if was.Len() == 1 && is.Len() == 1 {
		pairs[0].is = is.Index(0)
	}
	kind := func(v reflect.Value) string {
		if o := v.Interface().(*model.Method).Regarding; o != nil {
			return kindName(o)
		}
		return ""
	}
	byKind := pairKeyed(was, is, kind, kind)
	for i := range pairs {
		if !pairs[i].is.IsValid() {
			pairs[i].is = byKind[i].is // its other changes are reported separately
		}
	}
	return pairs
}

// pairObjects pairs the objects of an event. Their order does not matter, because methods are
// paired separately.
func pairObjects(s *site, was, is reflect.Value) []pairing {
	if was.Len() == 1 && is.Len() == 1 {
		return inOrder(s, was, is)
	}
	kind := func(v reflect.Value) string { return kindName(v.Interface().(*model.Object)) }
	pairs := pairKeyed(was, is, kind, kind)
	for _, o := range s.now.event.Regarding.Objects {
		if o.Any {
			// the newer event still takes any kind
			return slices.DeleteFunc(pairs, func(p pairing) bool { return !p.is.IsValid() })
		}
	}
	return pairs
}

// pairParams pairs params that are fields of a struct by name, and positional params by position.
// If the names of positional params differ, the whole list is one change, because a caller that
// still compiles may pass one value for another.
func pairParams(s *site, was, is reflect.Value) []pairing {
	if s.old.event.ArgsType != "" && s.now.event.ArgsType != "" {
		return pairBy("Field")(s, was, is)
	}
	before, after := names(s.old.event), names(s.now.event)
	if !slices.Equal(before, after) && s.old.event.ArgsType == s.now.event.ArgsType {
		s.report(row{rule: "BG02", name: "params", key: "params"}, paramList(&s.old), paramList(&s.now))
	}
	pairs := pairBy("Name")(s, was, is)
	for i, p := range pairs {
		if !p.is.IsValid() && len(before) == len(after) && !slices.Contains(before, after[i]) {
			pairs[i].is = is.Index(i) // a new name at the same position
		}
	}
	return slices.DeleteFunc(pairs, func(p pairing) bool { return !p.is.IsValid() })
}

// nowNamed returns the older side with the params named as the newer side names them. A new name
// stands for an old one if it is at the same position and has the same type. The values of a
// condition have fixed names.
func (s *site) nowNamed() side {
	old, event := s.old, *s.old.event
	before, after := names(&event), names(s.now.event)
	event.Params = slices.Clone(event.Params)
	for i, p := range event.Params {
		if s.old.event.On != nil || len(before) != len(after) || slices.Contains(after, p.Name) || slices.Contains(before, after[i]) {
			continue
		}
		if is := s.now.event.Params[i]; p.Enum != nil && is.Enum != nil || typeName(p.GoType, old.pkg) == typeName(is.GoType, s.now.pkg) {
			renamed := *p
			renamed.Name = is.Name
			event.Params[i] = &renamed
		}
	}
	old.event = &event
	return old
}

// sameParams returns a function that reports whether two values differ only in the names of params.
func sameParams(show func(*side, reflect.Value) string) func(*site, reflect.Value, reflect.Value) bool {
	return func(s *site, was, is reflect.Value) bool {
		old := s.nowNamed()
		return show(&old, was) == show(&s.now, is)
	}
}

// sameParam reports whether a param has only another name.
func sameParam(s *site, was, is reflect.Value) bool {
	i := slices.Index(s.old.event.Params, was.Interface().(*model.Param))
	now := is.Interface().(*model.Param)
	return i >= 0 && now != nil && s.nowNamed().event.Params[i].Name == now.Name
}

func names(e *model.Event) []string {
	var names []string
	for _, p := range e.Params {
		names = append(names, p.Name)
	}
	return names
}

// pairVariants pairs the definitions that the same value selects. A value without a variant selects
// other, so a new variant is compared with the older other. A new value of an enum without other is
// an addition.
func pairVariants(s *site, was, is reflect.Value) []pairing {
	value := func(v reflect.Value) string { return variantOf(v.Interface().(*model.Definition)) }
	unselected := s.old.event.Select == nil || s.now.event.Select == nil
	open := func(list reflect.Value) bool { return unselected || value(list.Index(list.Len()-1)) == "" }
	pairs := pairKeyed(was, is, value, value)
	for i := range pairs {
		if !pairs[i].is.IsValid() && ((value(pairs[i].was) == "" || s.now.event.Select == nil) && open(is) || s.old.event.Deprecated != nil) {
			pairs[i].is = is.Index(is.Len() - 1)
		}
		if name := pairs[i].was.Interface().(*model.Definition).ReasonConst; !pairs[i].is.IsValid() && !hasConstant(s, name) {
			s.report(row{rule: "BG01", name: "constant"}, name, nothing)
		}
	}
	for j := range is.Len() {
		v := value(is.Index(j))
		if open(was) && !slices.ContainsFunc(pairs, func(p pairing) bool { return value(p.was) == v }) {
			pairs = append(pairs, pairing{was.Index(was.Len() - 1), is.Index(j)})
		}
	}
	// Each value of the older other is either gone, which Enum.Values reports, or has a variant,
	// which was compared.
	return slices.DeleteFunc(pairs, func(p pairing) bool { return value(p.was) == "" && !p.is.IsValid() })
}

func variantOf(d *model.Definition) string {
	if d.Variant == nil {
		return ""
	}
	return d.Variant.Value
}
