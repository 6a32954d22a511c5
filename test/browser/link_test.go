package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

func TestDeepLink(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.follow("#QuotaExceeded.widgetevents.QuotaExceeded")
	p.checkInView("QuotaExceeded.widgetevents.QuotaExceeded")
	if got := p.focused(); got != "QuotaExceeded.widgetevents.QuotaExceeded" {
		t.Errorf("the focus is on %q", got)
	}
	p.follow("#FailedCreate")
	p.checkInView("FailedCreate")
}

// A link shows its event although filters hide it.
func TestDeepLinkBeatsFilters(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.search("BackoffLimitExceeded")
	p.follow("#QuotaExceeded")
	p.checkInView("QuotaExceeded.widgetevents.QuotaExceeded")

	// A link to where one is already, followed again.
	p.choose("type", "Normal")
	p.choose("type", "")
	p.choose("kind", "Pod")
	p.search("")
	p.follow("#TooManyWidgets")
	p.run(chromedp.Click("#TooManyWidgets .doc a"))
	p.settle()
	p.checkInView("QuotaExceeded.widgetevents.QuotaExceeded")
}

// A link to what is not there is searched: an alert names a reason before the page knows it, or
// after.
func TestUnknownLink(t *testing.T) {
	p := open(t, makePage(t, examples...))
	for hash, want := range map[string]string{"#backofflimit": "backofflimit", "#Gone.events.Gone": "Gone", "#%3Cb%3E": "<b>"} {
		p.follow(hash)
		if got := eval[string](p, `document.getElementById("ui/search").value`); got != want {
			t.Errorf("%s searches %q, want %q", hash, got, want)
		}
	}
	for _, hash := range []string{"#%zz", "#ui/search", "#ui/none"} {
		p.follow(hash)
	}
}

// The fragment counts when the page is opened, too.
func TestOpenedByLink(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url+"#QuotaExceeded.widgetevents.QuotaExceeded"), chromedp.WaitReady("footer"))
	p.checkInView("QuotaExceeded.widgetevents.QuotaExceeded")
}

func (p *tab) follow(hash string) {
	p.t.Helper()
	eval[any](p, `new Promise(done => { addEventListener("hashchange", () => setTimeout(done), { once: true }); location.hash = "`+hash+`"; })`,
		chromedp.EvalAwaitPromise)
}

// checkInView wants the top of an element below what stays at the top, and on the screen.
func (p *tab) checkInView(id string) {
	p.t.Helper()
	type place struct{ Shown, Below, Above bool }
	got := eval[place](p, `(() => {
		const e = document.getElementById("`+id+`"), top = e.getBoundingClientRect().top;
		const bar = document.getElementById("ui/bar").getBoundingClientRect();
		return { Shown: e.checkVisibility(), Below: top >= bar.bottom - 1, Above: top < innerHeight };
	})()`)
	if got != (place{true, true, true}) {
		p.t.Errorf("%s is not in view: %+v", id, got)
	}
}
