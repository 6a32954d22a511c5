package model

import (
	"context"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model/wellknown"
)

// resolveTypes looks at the types that the catalogs need to know more of: those of all catalogs of a module in one load.
func resolveTypes(ctx context.Context, builders []*builder, opts Options, fs *diag.Findings) {
	if opts.Resolve == ResolveNever {
		return
	}
	modules := map[string][]*builder{}
	outputs := map[string]string{}
	for _, b := range builders {
		modules[b.root] = append(modules[b.root], b)
		outputs[b.pkg.Output] = b.pkg.Name
	}
	for _, root := range sortedKeys(modules) {
		load := cached(opts.Cache, root, opts.Resolve == ResolveAlways, &loader{dir: root, outputs: outputs})
		resolveModule(ctx, load, modules[root], opts.Resolve, fs)
	}
}

func resolveModule(ctx context.Context, r resolver, builders []*builder, mode ResolveMode, fs *diag.Findings) {
	var wants []want
	for _, b := range builders {
		wants = append(wants, b.wants(mode)...)
	}
	facts, findings := r.resolve(ctx, wants)
	*fs = append(*fs, findings...)
	for _, b := range builders {
		b.facts = facts
	}
}

// wants are the types whose facts the catalog needs.
func (b *builder) wants(mode ResolveMode) []want {
	var out []want
	add := func(t GoType, ok bool) {
		if ok && t.Path != "" {
			out = append(out, b.want(t))
		}
	}
	for i := range b.cat.Objects {
		if d := &b.cat.Objects[i]; b.objectNeedsFacts(d, mode) {
			add(b.quietly(d.Type))
		}
	}
	for i := range b.cat.Params {
		b.wantParam(&b.cat.Params[i], mode, add)
	}
	for i := range b.cat.Events {
		for j := range b.cat.Events[i].Params {
			b.wantParam(&b.cat.Events[i].Params[j], mode, add)
		}
	}
	return out
}

func (b *builder) objectNeedsFacts(d *catalog.ObjectDecl, mode ResolveMode) bool {
	if !d.Type.Set() || d.Type.Value == anyType {
		return false
	}
	if t, ok := b.quietly(d.Type); ok {
		if _, known := wellknown.LookupType(t.Path, t.Name); known {
			return false
		}
	}
	return mode == ResolveAlways || !d.APIVersion.Set() || !d.Scope.Set()
}

func (b *builder) wantParam(p *catalog.Param, mode ResolveMode, add func(GoType, bool)) {
	if !p.Type.Set() || !isNamedType(p.Type.Value) {
		return
	}
	t, ok := b.quietly(p.Type)
	if ok && wellknown.IsString(t.Path, t.Name) {
		return
	}
	add(t, ok)
}

// quietly resolves a type whose findings come later.
func (b *builder) quietly(s catalog.Scalar) (GoType, bool) {
	var none diag.Findings
	quiet := *b
	quiet.fs = &none
	return quiet.namedType(s)
}

func (b *builder) want(t GoType) want {
	return want{typeName: typeName{path: t.Path, name: t.Name, args: t.Args}, output: b.pkg.Path}
}

// fact is what is known of a type; looked is false if nothing was to be loaded for it.
func (b *builder) fact(t GoType) (f typeFacts, looked bool) {
	f, looked = b.facts[b.want(t)]
	return f, looked
}
