package model

import "maps"

// nameArguments sets the names of the Go parameters of every method. A param keeps its name. An
// object gets the name of its kind or, if names would clash, of its alias or its role. A name that
// hides what the body needs, such as an import, a function or nil, is changed: only readers of the
// generated code see it.
func nameArguments(pkg *Package, s *scope) {
	taken := map[string]bool{receiver: true, "nil": true}
	for _, i := range pkg.Imports {
		taken[i.Alias] = true
	}
	for name := range s.names {
		taken[name] = true
	}
	for _, e := range pkg.Events {
		used := nameParams(e, taken)
		for _, m := range e.Methods {
			m.nameObjects(e, taken, used)
		}
	}
}

func nameParams(e *Event, taken map[string]bool) map[string]bool {
	used := map[string]bool{}
	if e.ArgsType != "" {
		return used
	}
	for _, p := range e.Params {
		used[p.Name] = true
	}
	for _, p := range e.Params {
		if p.GoName = p.Name; taken[p.Name] {
			p.GoName = free(renamed(p.Name), taken, used)
		}
		used[p.GoName] = true
	}
	return used
}

func (m *Method) nameObjects(e *Event, taken, params map[string]bool) {
	used := maps.Clone(params)
	name := "regarding"
	if m.Regarding != nil {
		name = objectParam(m.Regarding)
	}
	m.RegardingName = firstFree(taken, used, name, "regarding")
	used[m.RegardingName] = true
	m.AlsoNames = nil
	for _, a := range e.Also {
		name := firstFree(taken, used, objectParam(a.Object), aliasParam(a.Object), alsoParam(a.Object))
		used[name] = true
		m.AlsoNames = append(m.AlsoNames, name)
	}
	if e.Related != nil {
		name := objectParam(e.Related.Object)
		if e.Related.ByName {
			name += "Name"
		}
		m.RelatedName = firstFree(taken, used, name, "related")
		used[m.RelatedName] = true
	}
	if e.ArgsType != "" {
		m.ArgsName = firstFree(taken, used, argsParam, "params")
	}
}

func firstFree(taken, used map[string]bool, names ...string) string {
	for _, name := range names {
		if !taken[name] && !used[name] {
			return name
		}
	}
	return free(renamed(names[len(names)-1]), taken, used)
}

// free returns name, changed until it is neither taken nor used.
func free(name string, taken, used map[string]bool) string {
	for taken[name] || used[name] {
		name = renamed(name)
	}
	return name
}
