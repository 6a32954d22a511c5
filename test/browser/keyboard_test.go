package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestKeyboard(t *testing.T) {
	p := open(t, makePage(t, examples...))
	step := func(key, want string) {
		t.Helper()
		p.press(key)
		if got := p.focused(); got != want {
			t.Errorf("after %q the focus is on %q, want %q", key, got, want)
		}
	}
	step("/", "ui/search")
	p.press("SuccessfulCreate")
	shown := p.shown()
	if len(shown) < 4 {
		t.Fatalf("typing shows %v", shown)
	}
	step(kb.ArrowDown, shown[0])
	step(kb.ArrowDown, shown[1])
	step(kb.ArrowUp, shown[0])
	step(kb.ArrowUp, "ui/search")
	step(kb.Enter, shown[0])
	if got := eval[string](p, "location.hash"); got != "#"+shown[0] {
		t.Errorf("Enter leads to %s, want %s", got, shown[0])
	}
	step(kb.ArrowDown, shown[1])
	p.press(kb.Enter)
	if got := eval[string](p, "location.hash"); got != "#"+shown[1] {
		t.Errorf("Enter in the list leads to %s, want %s", got, shown[1])
	}
	step(kb.Escape, "ui/search")
	step(kb.Escape, "ui/search")
	if got := eval[string](p, `document.getElementById("ui/search").value`); got != "" {
		t.Errorf("Escape leaves %q", got)
	}
	step(kb.Escape, "")
}

// From a reason's heading, the arrows lead to its first entry, and to the one before.
func TestKeyboardFromHeading(t *testing.T) {
	p := open(t, makePage(t, examples...))
	for key, want := range map[string]string{
		kb.ArrowDown: "FailedCreate.cronjobevents.FailedCreate",
		kb.ArrowUp:   "Failed.certificateevents.IssuingFailed.Failed",
	} {
		p.follow("#FailedCreate")
		p.press(key)
		if got := p.focused(); got != want {
			t.Errorf("after %q the focus is on %q, want %q", key, got, want)
		}
		p.follow("#Suspended")
	}
}

// The last entry is the end, and a slash in the search field is a slash.
func TestKeyboardLimits(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.search("QuotaExceeded")
	for range 20 {
		p.press(kb.ArrowDown)
	}
	if got, shown := p.focused(), p.shown(); got != shown[len(shown)-1] {
		t.Errorf("the focus is on %q, want the last of %v", got, shown)
	}
	p.search("")
	p.press("/")
	if got := eval[string](p, `document.getElementById("ui/search").value`); got != "/" {
		t.Errorf("the search field has %q", got)
	}
	p.search("nothing has these words")
	p.press(kb.ArrowDown)
	p.press(kb.Enter)
	if got := p.focused(); got != "ui/search" {
		t.Errorf("with nothing found, the focus goes to %q", got)
	}
}

// Every part can be reached and left with Tab alone.
func TestTab(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.run(chromedp.Focus(part("search")))
	for _, want := range []string{"ui/kind", "ui/controller", "ui/type", "ui/deprecated"} {
		p.press(kb.Tab)
		if got := p.focused(); got != want {
			t.Errorf("Tab leads to %q, want %q", got, want)
		}
	}
}
