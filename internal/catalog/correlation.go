package catalog

import "go.yaml.in/yaml/v3"

func (w *walker) correlation(into **Correlation) reader {
	return func(key string, n *yaml.Node) {
		c := &Correlation{Pos: w.pos(n)}
		w.mapping(n, key, []field{
			{"key", false, w.correlationKey(c)},
			{"note", false, w.oneOf(&c.Note, "first", "latest")},
			{"limit", false, w.text(&c.Limit)},
			{"interval", false, w.duration(&c.Interval)},
			{"window", false, w.duration(&c.Window)},
			{"threshold", false, w.number(&c.Threshold)},
			{"budget", false, w.budget(c)},
			{"aggregate", false, w.boolean(&c.Aggregate)},
		})
		*into = c
	}
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

func (w *walker) correlationKey(c *Correlation) reader {
	return func(key string, n *yaml.Node) {
		c.KeyPos = w.pos(n)
		w.texts(&c.Key)(key, n)
	}
}

func (w *walker) budget(c *Correlation) reader {
	return func(key string, n *yaml.Node) {
		w.mapping(n, key, []field{
			{"burst", false, w.number(&c.Burst)},
			{"every", false, w.duration(&c.Every)},
		})
	}
}
