package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Text of a catalog is shown and does nothing; that nothing was requested or said is checked when a
// page is closed.
func TestHostileText(t *testing.T) {
	p := open(t, makePage(t, examples...))
	p.search("</script>")
	id := "~3c~2fscript~3e~3cscript~3edocument.title~3d~27owned~27~3c~2fscript~3e.widgetevents.Hostile"
	p.checkFirst(id)
	p.follow("#" + id)
	eval[any](p, `document.getElementById("`+id+`").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }))`)
	if got := eval[string](p, "document.title"); strings.Contains(got, "owned") {
		t.Errorf("the title is %q", got)
	}
	if got := eval[int](p, `document.querySelectorAll("script").length`); got != 1 {
		t.Errorf("%d scripts", got)
	}
	if got := eval[int](p, `document.querySelectorAll("main :is(script, img, iframe, a[href^='javascript'])").length`); got != 0 {
		t.Errorf("%d elements were made of a catalog's text", got)
	}
}

// The policy of the page forbids what its own script does not need.
func TestPolicy(t *testing.T) {
	p := open(t, makePage(t, examples...))
	blocked := eval[[]string](p, `new Promise(done => {
		const blocked = [];
		document.addEventListener("securitypolicyviolation", e => blocked.push(e.effectiveDirective));
		const script = document.createElement("script");
		script.textContent = "document.title = 'owned'";
		document.body.append(script);
		const image = document.createElement("img");
		image.src = "/x.png";
		document.body.append(image);
		fetch("/y").catch(() => {});
		setTimeout(() => done(blocked), 200);
	})`, chromedp.EvalAwaitPromise)
	for _, want := range []string{"script-src-elem", "img-src", "connect-src"} {
		if !strings.Contains(strings.Join(blocked, " "), want) {
			t.Errorf("%s is not enforced: blocked was %v", want, blocked)
		}
	}
	p.forget()
}

func TestWithoutScripts(t *testing.T) {
	page := makePage(t, examples...)
	p := openPlain(t, page)
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.load()
	entries := p.allEntries()
	if shown := p.shown(); len(shown) != len(entries) || len(shown) < 100 {
		t.Errorf("%d of %d entries are shown", len(shown), len(entries))
	}
	if eval[bool](p, `document.getElementById("ui/bar").checkVisibility()`) {
		t.Error("a search field is shown that does nothing")
	}
}
