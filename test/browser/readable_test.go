package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// contrasts gives every text whose contrast to its ground is under 4.5, as WCAG counts it.
const contrasts = `(() => {
	const channels = color => color.match(/[\d.]+/g).map(Number);
	const linear = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
	const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
	const ground = e => {
		for (; e; e = e.parentElement) {
			const color = channels(getComputedStyle(e).backgroundColor);
			if (color.length < 4 || color[3] === 1) return color;
		}
		return [255, 255, 255];
	};
	const bad = new Set();
	for (const e of document.body.querySelectorAll("*")) {
		const own = [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.textContent.trim() !== "");
		if (!own || !e.checkVisibility() || e.tagName === "OPTION") continue;
		const [a, b] = [channels(getComputedStyle(e).color), ground(e)].map(luminance).sort((a, b) => b - a);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.add(e.tagName + "." + e.className + " " + ratio.toFixed(2));
	}
	return [...bad];
})()`

func TestContrast(t *testing.T) {
	p := open(t, makePage(t, examples...))
	grounds := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		p.theme(scheme)
		p.follow("#QuotaExceeded.widgetevents.QuotaExceeded")
		for _, bad := range eval[[]string](p, contrasts) {
			t.Errorf("%s: %s", scheme, bad)
		}
		grounds[eval[string](p, "getComputedStyle(document.body).backgroundColor")] = true
		p.follow("#Suspended")
	}
	if len(grounds) != 2 {
		t.Errorf("the themes have the grounds %v", grounds)
	}
}

// On a phone nothing is wider than the screen, whatever is shown.
func TestPhone(t *testing.T) {
	p := open(t, makePage(t, examples...))
	for _, width := range []int64{320, 390} {
		p.run(chromedp.EmulateViewport(width, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
		if got := eval[int64](p, "document.documentElement.scrollWidth"); got > width {
			t.Errorf("the page is %d wide on a screen of %d", got, width)
		}
		if got := eval[float64](p, `parseFloat(getComputedStyle(document.getElementById("ui/search")).fontSize)`); got < 16 {
			t.Errorf("the search field's text is %v px, so that phones zoom in", got)
		}
	}
}

// Whatever takes a hand has a name for those who do not see it, and headings are in order.
func TestNames(t *testing.T) {
	p := open(t, makePage(t, examples...))
	nameless := eval[[]string](p, `[...document.querySelectorAll("input, select, button, a, summary")].filter(e =>
		!(e.labels?.length || e.getAttribute("aria-label") || e.textContent.trim())).map(e => e.outerHTML)`)
	if len(nameless) > 0 {
		t.Errorf("without a name: %v", nameless)
	}
	if twice := eval[[]string](p, `[...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i)`); len(twice) > 0 {
		t.Errorf("ids that stand twice: %v", twice)
	}
	if got := eval[string](p, `document.documentElement.lang + document.querySelectorAll("h1").length + document.querySelectorAll("main").length`); got != "en11" {
		t.Errorf("language, h1 and main are %s", got)
	}
}
