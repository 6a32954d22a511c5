package main

import (
	"bytes"
	"fmt"
	"html"
)

// panel is a part of the chart: a bar for each recorder, drawn to one scale.
type panel struct {
	title  string
	names  []string
	values []float64
}

func panels(f figures) (all []panel) {
	for _, p := range []struct{ title, benchmark, unit string }{
		{"A repeat: ns of the caller", "Repeat/objects=1", "ns/op"},
		{"A distinct event: CPU ns of the process", "Distinct", "cpu-ns/op"},
		{"Over HTTP/2: CPU µs of both ends an event", "Server", "cpu-µs/event"},
		{"Lost in an outage of 180 s, 2,000 objects", "Outage/size=2000x1", "lost"},
	} {
		n := panel{title: p.title}
		for _, name := range []string{"record", "events", "event-gen"} {
			if v, ok := f.median(p.benchmark+"/recorder="+name, p.unit); ok {
				n.names, n.values = append(n.names, name), append(n.values, v)
			}
		}
		all = append(all, n)
	}
	return all
}

// Sizes of the chart, in its own units.
const (
	columns     = 2
	panelWidth  = 440
	panelHeight = 132
	margin      = 24
	barLeft     = 84
	barRight    = 96 // room for values behind the longest bar
	barHeight   = 18
	barGap      = 8
	barsTop     = 42
)

// style takes the reader's colours: the chart has a ground of its own, so that it can be read on
// any page.
const style = `
.ground { fill: #ffffff; stroke: #d0d7de }
.title { fill: #1f2328; font-weight: 600; font-size: 14px }
.hint, .name, .value { fill: #59636e; font-size: 12px }
.name { text-anchor: end }
.own { fill: #1f2328; font-weight: 600 }
.bar { fill: #9aa7b5 }
.bar.own { fill: #1a7f5a }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117; stroke: #3d444d }
.title { fill: #f0f6fc }
.hint, .name, .value { fill: #9198a1 }
.own { fill: #f0f6fc }
.bar { fill: #59636e }
.bar.own { fill: #3fb984 }
}
`

func draw(panels []panel) []byte {
	rows := (len(panels) + columns - 1) / columns
	width := columns*panelWidth + (columns+1)*margin
	height := rows*(panelHeight+margin) + margin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="system-ui, sans-serif">`, width, height, width, height)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<style>%s</style>\n", html.EscapeString(summary(panels)), style)
	fmt.Fprintf(&b, `<rect class="ground" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1)
	for i, p := range panels {
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", margin+i%columns*(panelWidth+margin), margin+i/columns*(panelHeight+margin))
		p.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// summary tells what the chart shows, for those who can't see it.
func summary(panels []panel) string {
	text := "Medians of client-go's tools/record (record), tools/events (events) and event-gen; less is better."
	for _, p := range panels {
		text += " " + p.title + ":"
		for i, name := range p.names {
			text += fmt.Sprintf(" %s %s", name, number(p.values[i]))
		}
		text += "."
	}
	return text
}

func (p *panel) draw(b *bytes.Buffer) {
	fmt.Fprintf(b, `<text class="title" y="14">%s</text><text class="hint" y="31">less is better</text>`+"\n", html.EscapeString(p.title))
	longest := 0.0
	for _, v := range p.values {
		longest = max(longest, v)
	}
	for i, v := range p.values {
		length, own := 0.0, ""
		if v > 0 {
			length = max(1, v/longest*(panelWidth-barLeft-barRight))
		}
		if p.names[i] == "event-gen" {
			own = " own"
		}
		y := barsTop + i*(barHeight+barGap)
		middle := y + barHeight - 5
		fmt.Fprintf(b, `<text class="name%s" x="%d" y="%d">%s</text>`, own, barLeft-8, middle, p.names[i])
		fmt.Fprintf(b, `<rect class="bar%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>`, own, barLeft, y, length, barHeight)
		fmt.Fprintf(b, `<text class="value%s" x="%.1f" y="%d">%s</text>`+"\n", own, barLeft+length+6, middle, number(v))
	}
}
