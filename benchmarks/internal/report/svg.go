package report

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// Sizes of the chart, in its own units.
const (
	chartColumns = 2
	panelWidth   = 440
	panelHeight  = 132
	panelMargin  = 24
	barLeft      = 84
	barRight     = 96 // room for values behind the longest bar
	barHeight    = 18
	barGap       = 8
	barsTop      = 42
)

// chartStyle takes the reader's colours: the chart has a ground of its own, so that it can be read on any page.
const chartStyle = `
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

// SVG draws the chart: a panel for each of what was measured, with a bar for each contender.
func SVG(panels []Panel) []byte {
	rows := (len(panels) + chartColumns - 1) / chartColumns
	width := chartColumns*panelWidth + (chartColumns+1)*panelMargin
	height := rows*(panelHeight+panelMargin) + panelMargin
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" font-family="system-ui, sans-serif">`, width, height, width, height)
	fmt.Fprintf(&b, "\n<title>%s</title>\n<style>%s</style>\n", html.EscapeString(summary(panels)), chartStyle)
	fmt.Fprintf(&b, `<rect class="ground" x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1)
	for i, p := range panels {
		x := panelMargin + i%chartColumns*(panelWidth+panelMargin)
		y := panelMargin + i/chartColumns*(panelHeight+panelMargin)
		fmt.Fprintf(&b, `<g transform="translate(%d %d)">`+"\n", x, y)
		p.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// summary says what the chart shows, for those who can't see it.
func summary(panels []Panel) string {
	text := "Medians of client-go's tools/record (record), tools/events (events) and event-gen."
	for _, p := range panels {
		text += " " + p.Title + ":"
		for i, name := range p.Names {
			text += fmt.Sprintf(" %s %s,", name, p.value(i))
		}
		text = text[:len(text)-1] + "."
	}
	return text
}

var betterTexts = [...]string{Neither: "", Lower: "less is better", Higher: "more is better"}

func (p *Panel) draw(b *bytes.Buffer) {
	fmt.Fprintf(b, `<text class="title" y="14">%s</text><text class="hint" y="31">%s</text>`+"\n", html.EscapeString(p.Title), betterTexts[p.Better])
	longest := 0.0
	for _, v := range p.Values {
		longest = math.Max(longest, v)
	}
	for i, v := range p.Values {
		length := 0.0
		if longest > 0 && v > 0 {
			length = math.Max(1, v/longest*(panelWidth-barLeft-barRight))
		}
		p.bar(b, i, length)
	}
}

func (p *Panel) bar(b *bytes.Buffer, i int, length float64) {
	own := ""
	if i == len(p.Names)-1 {
		own = " own"
	}
	y := barsTop + i*(barHeight+barGap)
	middle := y + barHeight - 5
	fmt.Fprintf(b, `<text class="name%s" x="%d" y="%d">%s</text>`, own, barLeft-8, middle, html.EscapeString(p.Names[i]))
	fmt.Fprintf(b, `<rect class="bar%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>`, own, barLeft, y, length, barHeight)
	fmt.Fprintf(b, `<text class="value%s" x="%.1f" y="%d">%s</text>`+"\n", own, barLeft+length+6, middle, p.value(i))
}

// value is a value as the chart shows it.
func (p *Panel) value(i int) string {
	if p.Unit == "" {
		return Number(p.Values[i])
	}
	return Number(p.Values[i]) + " " + p.Unit
}
