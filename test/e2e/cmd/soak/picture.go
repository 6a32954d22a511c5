package main

import (
	"fmt"
	"strings"
)

// The picture's measures, in pixels.
const (
	pictureWidth, panelHeight, left, gap = 1000, 110, 70, 34
	plotted                              = pictureWidth - left - 20
)

// line is a value over time.
type line struct {
	name, colour string
	value        func(before, now *sample) float64
}

// panel is a plot of its own scale.
type panel struct {
	title string
	lines []line
}

var panels = []panel{
	{"occurrences a second", []line{
		{"recorded", "#1f77b4", func(before, now *sample) float64 { return rate(before, now, now.stats.Recorded-before.stats.Recorded) }},
		{"written", "#2ca02c", func(before, now *sample) float64 { return rate(before, now, now.stats.Written-before.stats.Written) }},
	}},
	{"pending occurrences", []line{
		{"broadcaster", "#d62728", func(_, now *sample) float64 { return float64(now.stats.Pending) }},
		{"operator", "#ff7f0e", func(_, now *sample) float64 { return float64(now.operator.Pending) }},
	}},
	{"lost, by named causes", []line{{"broadcaster", "#9467bd", func(_, now *sample) float64 { return float64(now.stats.Lost.Total()) }}}},
	{"longest wait of a healthy namespace, s", []line{{"wait", "#d62728", func(_, now *sample) float64 { return now.wait.Seconds() }}}},
	{"goroutines", []line{
		{"broadcaster", "#1f77b4", func(_, now *sample) float64 { return float64(now.goroutines) }},
		{"operator, all", "#ff7f0e", func(_, now *sample) float64 { return float64(now.memory.goroutines) }},
	}},
	{"heap, MB", []line{
		{"this process", "#1f77b4", func(_, now *sample) float64 { return float64(now.heap) / 1e6 }},
		{"operator", "#ff7f0e", func(_, now *sample) float64 { return float64(now.memory.heap) / 1e6 }},
		{"the broadcaster's state", "#2ca02c", func(_, now *sample) float64 { return float64(now.stats.Bytes) / 1e6 }},
	}},
}

func rate(before, now *sample, n uint64) float64 {
	if took := (now.at - before.at).Seconds(); took > 0 && n < 1<<63 {
		return float64(n) / took
	}
	return 0
}

// picture draws all panels one below the other, with the troubles as bands.
func (s *soak) picture() string {
	var b strings.Builder
	height := len(panels)*(panelHeight+gap) + 30
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n"+
		`<rect width="100%%" height="100%%" fill="white"/>`+"\n", pictureWidth, height)
	if len(s.samples) < 2 {
		return b.String() + "</svg>\n"
	}
	total := s.samples[len(s.samples)-1].at.Seconds()
	x := func(seconds float64) float64 { return left + min(max(seconds/total, 0), 1)*plotted }
	for i, p := range panels {
		top := float64(i*(panelHeight+gap) + 24)
		s.bands(&b, x, top)
		p.draw(&b, s.samples, x, top)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">minutes: 0 to %.0f; red bands: trouble of the server; blue bands: of some namespaces</text>`+"\n</svg>\n", left, height-8, total/60)
	return b.String()
}

func (s *soak) bands(b *strings.Builder, x func(float64) float64, top float64) {
	for _, t := range s.troubles.list() {
		colour := "#d62728"
		if t.namespaces != nil {
			colour = "#1f77b4"
		}
		from, to := x(t.from.Sub(s.began).Seconds()), x(t.to.Sub(s.began).Seconds())
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="%s" fill-opacity="0.13"><title>%s</title></rect>`+"\n",
			from, top, max(to-from, 1), panelHeight, colour, t.name)
	}
}

func (p panel) draw(b *strings.Builder, samples []sample, x func(float64) float64, top float64) {
	most := 0.0
	for _, l := range p.lines {
		for i := 1; i < len(samples); i++ {
			most = max(most, l.value(&samples[i-1], &samples[i]))
		}
	}
	most = max(most, 1)
	fmt.Fprintf(b, `<text x="%d" y="%.1f" font-weight="bold">%s</text><text x="4" y="%.1f">%.5g</text><text x="4" y="%.1f">0</text>`+"\n"+
		`<rect x="%d" y="%.1f" width="%d" height="%d" fill="none" stroke="#bbb"/>`+"\n",
		left, top-6, p.title, top+12, most, top+panelHeight, left, top, plotted, panelHeight)
	legend := left + 300
	for _, l := range p.lines {
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="%s">%s</text>`+"\n", legend, top-6, l.colour, l.name)
		legend += 180
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="1.2" points="`, l.colour)
		for i := 1; i < len(samples); i++ {
			fmt.Fprintf(b, "%.1f,%.1f ", x(samples[i].at.Seconds()), top+panelHeight*(1-l.value(&samples[i-1], &samples[i])/most))
		}
		fmt.Fprint(b, "\"/>\n")
	}
}
