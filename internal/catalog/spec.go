package catalog

import "go.yaml.in/yaml/v3"

// The API version and kinds that are read.
const (
	Group             = "event-gen.github.io"
	APIVersion        = Group + "/v1alpha1"
	KindCatalog       = "EventCatalog"
	KindConfiguration = "Configuration"
)

// ignore passes over a key that was read elsewhere.
func ignore(string, *yaml.Node) {}

// catalog reads a whole document of kind EventCatalog.
func (w *walker) catalog(root *yaml.Node) *Catalog {
	c := &Catalog{File: w.file, Pos: w.pos(root)}
	w.mapping(root, "an "+KindCatalog, []field{
		{"apiVersion", true, ignore},
		{"kind", true, ignore},
		{"spec", true, func(key string, n *yaml.Node) { w.spec(c, key, n) }},
	})
	c.Incomplete = w.lost
	return c
}

func (w *walker) spec(c *Catalog, key string, n *yaml.Node) {
	w.mapping(n, key, []field{
		{"go", true, w.goSettings(&c.Go)},
		{"reportingController", false, w.text(&c.ReportingController)},
		{"imports", false, w.imports(&c.Imports)},
		{"objects", false, w.objects(&c.Objects)},
		{"defaults", false, w.defaults(&c.Defaults)},
		{"params", false, w.vocabulary(&c.Params)},
		{"limits", false, w.limits(&c.Limits)},
		{"lint", false, w.lint(&c.Ignore)},
		{"events", true, w.events(&c.Events)},
	})
}

func (w *walker) goSettings(into *GoSettings) reader {
	return func(key string, n *yaml.Node) {
		into.Pos = w.pos(n)
		w.mapping(n, key, []field{
			{"package", true, w.text(&into.Package)},
			{"recorder", false, w.text(&into.Recorder)},
			{"output", false, w.text(&into.Output)},
			{"args", false, w.oneOf(&into.Args, "positional", "struct")},
		})
	}
}

func (w *walker) imports(into *[]Import) reader {
	return w.entries(func(alias Scalar, n *yaml.Node) {
		if path, ok := w.scalar("import "+alias.Value, n); ok {
			*into = append(*into, Import{Alias: alias, Path: path})
		}
	})
}

func (w *walker) objects(into *[]ObjectDecl) reader {
	return w.entries(func(alias Scalar, n *yaml.Node) {
		what := "object " + alias.Value
		o := ObjectDecl{Alias: alias}
		if n.Kind == yaml.ScalarNode {
			w.text(&o.Version)(what, n)
		} else {
			w.mapping(n, what, []field{
				{"type", false, w.text(&o.Type)},
				{"apiVersion", false, w.text(&o.APIVersion)},
				{"kind", false, w.text(&o.Kind)},
				{"scope", false, w.oneOf(&o.Scope, "Namespaced", "Cluster")},
			})
		}
		*into = append(*into, o)
	})
}

func (w *walker) limits(into *[]LimitDecl) reader {
	return w.entries(func(name Scalar, n *yaml.Node) {
		l := LimitDecl{Name: name}
		w.mapping(n, "limit "+name.Value, []field{
			{"rate", true, w.text(&l.Rate)},
			{"burst", true, w.number(&l.Burst)},
			{"wait", false, w.duration(&l.Wait)},
		})
		*into = append(*into, l)
	})
}

func (w *walker) defaults(into *Defaults) reader {
	return w.keys(
		field{"regarding", false, w.regarding(&into.Regarding)},
		field{"type", false, w.text(&into.Type)},
		field{"correlation", false, w.correlation(&into.Correlation)},
	)
}
