package rawcall

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// unemitted is EV502. An event whose reason a raw call records is emitted: EV501 finds the call.
func (c *checker) unemitted() {
	if !c.Whole {
		return
	}
	used, raw := c.usedFunctions(), map[string]bool{}
	for _, s := range c.Sites {
		for _, reason := range s.Reason.Constants() {
			raw[reason] = true
		}
	}
	for _, p := range c.Packages {
		for _, f := range p.Syntax {
			if p.Dependency || !scan.Generated(f) {
				continue
			}
			reasons, recorded := definedReasons(p.Info, f), variablesOf(p.Info, transitionsUsed(p, f, used))
			formers := formerNames(p.Info, f)
			for name, method := range eventMethods(f) {
				fn, ok := p.Info.Defs[method.Name].(*types.Func)
				if ok && scan.Forwarded(p.Info, method) != nil {
					continue
				}
				byFormer := slices.ContainsFunc(formers[name], func(former string) bool {
					return used[strings.TrimSuffix(scan.ObjectName(fn), name)+former] || used[p.Path+".New"+former]
				})
				byTransition := slices.ContainsFunc(variablesOf(p.Info, method), func(v *types.Var) bool { return slices.Contains(recorded, v) })
				byRawCall := slices.ContainsFunc(reasonsOf(p.Info, f, method, reasons), func(reason string) bool { return raw[reason] })
				if ok && !used[scan.ObjectName(fn)] && !used[p.Path+".New"+name] && !byFormer && !byTransition && !byRawCall {
					c.report(method.Name.Pos(), callrules.UnemittedEvent, "no code records %s; record it, or remove it from the catalog", name)
				}
			}
		}
	}
}

// eventMethods returns the methods with which a generated file's recorder records events, by name.
// Each has a function beside it that makes the event.
func eventMethods(f *ast.File) map[string]*ast.FuncDecl {
	functions, methods := map[string]bool{}, map[string]*ast.FuncDecl{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			functions[fn.Name.Name] = true
		} else if ok {
			methods[fn.Name.Name] = fn
		}
	}
	maps.DeleteFunc(methods, func(name string, _ *ast.FuncDecl) bool { return !functions["New"+name] })
	return methods
}

// formerNames returns the former names of a generated file's methods.
func formerNames(info *types.Info, f *ast.File) map[string][]string {
	formers := map[string][]string{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
			if now := scan.Forwarded(info, fn); now != nil {
				formers[now.Name()] = append(formers[now.Name()], fn.Name.Name)
			}
		}
	}
	return formers
}

// definedReasons returns the reasons of a generated file's definitions, by their variables. An
// event with variants has a list of definitions.
func definedReasons(info *types.Info, f *ast.File) map[types.Object][]string {
	reasons := map[types.Object][]string{}
	for n := range ast.Preorder(f) {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			continue
		}
		for n := range ast.Preorder(v.Values[0]) {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if x, ok := scan.Element(info, lit, "Reason"); ok {
					reason, _ := scan.ConstantText(info, x)
					reasons[info.Defs[v.Names[0]]] = append(reasons[info.Defs[v.Names[0]]], reason)
				}
			}
		}
	}
	return reasons
}

// reasonsOf returns the reasons of the definitions that a method names. The method may call a
// function to choose one; then it returns the reasons of that function's definitions.
func reasonsOf(info *types.Info, f *ast.File, method *ast.FuncDecl, reasons map[types.Object][]string) (list []string) {
	choosers := map[types.Object]*ast.FuncDecl{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
			choosers[info.Defs[fn.Name]] = fn
		}
	}
	for n := range ast.Preorder(method) {
		id, ok := n.(*ast.Ident)
		if !ok || info.Uses[id] == nil {
			continue
		}
		list = append(list, reasons[info.Uses[id]]...)
		if chooser := choosers[info.Uses[id]]; chooser != nil {
			for _, v := range variablesOf(info, chooser) {
				list = append(list, reasons[v]...)
			}
		}
	}
	return list
}

// transitionsUsed returns the declarations of the transitions that code records with a generated
// recorder: the declarations of the variables in its used methods, without the methods of single
// events.
func transitionsUsed(p *scan.Package, f *ast.File, used map[string]bool) ast.Node {
	events, file := eventMethods(f), &ast.File{Name: f.Name}
	named := map[*types.Var]bool{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || events[fn.Name.Name] != nil {
			continue
		}
		if obj, ok := p.Info.Defs[fn.Name].(*types.Func); ok && used[scan.ObjectName(obj)] {
			for _, v := range variablesOf(p.Info, fn) {
				named[v] = true
			}
		}
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			if value, ok := spec.(*ast.ValueSpec); ok && slices.ContainsFunc(value.Names, func(id *ast.Ident) bool {
				v, _ := p.Info.Defs[id].(*types.Var)
				return named[v]
			}) {
				file.Decls = append(file.Decls, g)
			}
		}
	}
	return file
}

// variablesOf returns the package-level variables that a declaration names.
func variablesOf(info *types.Info, declaration ast.Node) (list []*types.Var) {
	for n := range ast.Preorder(declaration) {
		id, _ := n.(*ast.Ident)
		if v, ok := info.Uses[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			list = append(list, v)
		}
	}
	return list
}

// usedFunctions returns the full names of the functions and methods that code uses. It ignores
// generated code.
func (c *checker) usedFunctions() map[string]bool {
	used := map[string]bool{}
	for _, p := range c.Packages {
		for _, f := range slices.DeleteFunc(slices.Clone(p.Syntax), scan.Generated) {
			for n := range ast.Preorder(f) {
				id, _ := n.(*ast.Ident)
				if fn, ok := p.Info.Uses[id].(*types.Func); ok {
					used[scan.ObjectName(fn)] = true
				}
			}
		}
	}
	return used
}
