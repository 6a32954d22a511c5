package model

// nameArguments names the Go parameters of every method: params by their name, the regarding object by its kind, the
// further ones likewise, or by their aliases where the names would clash, the related one likewise, or related. A name that hides an import, or a function that the
// body needs, is changed; nobody but the reader of the code sees it.
func (b *builder) nameArguments() {
	taken := map[string]bool{receiver: true}
	for _, i := range b.pkg.Imports {
		taken[i.Alias] = true
	}
	for name := range b.scope.names {
		taken[name] = true
	}
	for _, e := range b.pkg.Events {
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
	used := map[string]bool{}
	for name := range params {
		used[name] = true
	}
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
		m.RelatedName = firstFree(taken, used, objectParam(e.Related.Object), "related")
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

func free(name string, taken, used map[string]bool) string {
	for taken[name] || used[name] {
		name = renamed(name)
	}
	return name
}
