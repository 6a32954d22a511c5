package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// examples are the catalogs of the page that most tests look at.
var examples = []string{
	"examples/catalog.yaml", "examples/workloads/catalog.yaml", "examples/kubelet/catalog.yaml", "examples/certmanager/catalog.yaml",
	"test/browser/testdata/catalog.yaml",
}

// makePage has the real command make a page; twice the same is made once.
func makePage(t *testing.T, catalogs ...string) []byte {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	key := strings.Join(catalogs, " ")
	if page, ok := made.pages[key]; ok {
		return page
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./cmd/event-gen", "docs", "--format=html"}, catalogs...)...)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOWORK=") // the root's workspace, which this module is not in
	cmd.Stderr = t.Output()
	page, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	made.pages[key] = page
	return page
}

var made = struct {
	sync.Mutex
	pages map[string][]byte
}{pages: map[string][]byte{}}

type step = chromedp.Action[chromedp.Void]

// tab is a page in a browser, and what went on there.
type tab struct {
	context.Context
	t   *testing.T
	url string

	mu       sync.Mutex
	requests []string
	trouble  []string
}

// open shows a page. When the test ends, nothing may have been requested but the page, and nothing
// said on the console.
func open(t *testing.T, page []byte) *tab {
	t.Helper()
	p := openPlain(t, page)
	p.load()
	return p
}

// openPlain is open before the page is loaded.
func openPlain(t *testing.T, page []byte) *tab {
	t.Helper()
	return openHandler(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(page)
	}))
}

// openHandler is openPlain for a page that a handler makes.
func openHandler(t *testing.T, h http.Handler) *tab {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p := &tab{Context: newTab(t), t: t, url: server.URL + "/"}
	if err := chromedp.Listen(p, p.listen); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, cdplog.Enable, cdp.Empty{})
	t.Cleanup(p.checkQuiet)
	return p
}

func (p *tab) load() {
	p.t.Helper()
	p.run(chromedp.Navigate(p.url), chromedp.WaitReady("footer"))
}

func (p *tab) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *cdplog.EventEntryAdded:
		p.trouble = append(p.trouble, fmt.Sprintf("log %s: %s", e.Entry.Level, e.Entry.Text))
	case *runtime.EventConsoleAPICalled:
		p.trouble = append(p.trouble, "console "+e.Type.String())
	case *runtime.EventExceptionThrown:
		p.trouble = append(p.trouble, "exception "+e.ExceptionDetails.Text)
	}
}

func (p *tab) checkQuiet() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if r != p.url && !strings.HasPrefix(r, p.url+"#") && r != "data:," && r != "about:blank" {
			p.t.Errorf("the page requested %s", r)
		}
	}
	for _, m := range p.trouble {
		p.t.Errorf("the browser said: %s", m)
	}
}

func (p *tab) run(steps ...step) {
	p.t.Helper()
	if err := chromedp.Do(p, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// call sends a command of the browser's own protocol.
func call[P, R any](p *tab, command cdp.Command[P, R], params P) {
	p.t.Helper()
	if _, err := chromedp.Call(p, command, params); err != nil {
		p.t.Fatal(err)
	}
}

// eval gives the value of an expression of JavaScript.
func eval[T any](p *tab, expression string, opts ...chromedp.EvaluateOption) T {
	p.t.Helper()
	value, err := chromedp.Run(p, chromedp.Evaluate[T](expression, opts...))
	if err != nil {
		p.t.Fatal(err)
	}
	return value
}

// part is the selector of a part of the page's own.
func part(name string) string { return `[id="ui/` + name + `"]` }

// search replaces the text of the search field as a user would.
func (p *tab) search(text string) {
	p.t.Helper()
	p.run(chromedp.Focus(part("search")))
	eval[any](p, fmt.Sprintf(`{
		const field = document.querySelector('%s');
		field.value = %q;
		field.dispatchEvent(new Event("input", { bubbles: true }));
	}`, part("search"), text))
}

func (p *tab) choose(filter, value string) {
	p.t.Helper()
	eval[any](p, fmt.Sprintf(`{
		const field = document.querySelector('%s');
		field.value = %q;
		field.dispatchEvent(new Event("change", { bubbles: true }));
	}`, part(filter), value))
}

// press presses the key of a character, or one of package kb, where the focus is. As with a real
// keyboard, a page that takes the key for itself keeps its text from being typed.
func (p *tab) press(key string) {
	p.t.Helper()
	for _, r := range key {
		k := kb.Keys[r]
		down := input.DispatchKeyEventParams{Type: kb.KeyDown, Key: k.Key, Code: k.Code, WindowsVirtualKeyCode: k.Windows}
		if k.Shift {
			down.Modifiers = 8
		}
		up := down
		up.Type = kb.KeyUp
		down.Text, down.UnmodifiedText = k.Text, k.Unmodified
		call(p, input.DispatchKeyEvent, down)
		call(p, input.DispatchKeyEvent, up)
	}
	p.settle()
}

// settle waits until the page has answered what was done to it.
func (p *tab) settle() {
	p.t.Helper()
	eval[any](p, `new Promise(done => requestAnimationFrame(() => setTimeout(done)))`, chromedp.EvalAwaitPromise)
}

// shown are the ids of the entries that can be seen, from the top.
func (p *tab) shown() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll(".entry")].filter(e => e.checkVisibility()).map(e => e.id)`)
}

func (p *tab) allEntries() []string {
	p.t.Helper()
	return eval[[]string](p, `[...document.querySelectorAll(".entry")].map(e => e.id)`)
}

func (p *tab) status() string {
	p.t.Helper()
	return eval[string](p, `document.getElementById("ui/status").value`)
}

func click(name string) step { return chromedp.Click(part(name)) }

// forget is for tests that ask for trouble.
func (p *tab) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests, p.trouble = nil, nil
}

// focused is the id of the entry that has the focus, or of the part of the page.
func (p *tab) focused() string {
	p.t.Helper()
	return eval[string](p, `(document.activeElement.closest(".entry") ?? document.activeElement).id`)
}

func (p *tab) checkFirst(want string) {
	p.t.Helper()
	if got := p.shown(); len(got) == 0 || got[0] != want {
		p.t.Errorf("shown is %v, want %s first", got[:min(len(got), 5)], want)
	}
}

func (p *tab) checkShown(want ...string) {
	p.t.Helper()
	if got := p.shown(); !slices.Equal(got, want) {
		p.t.Errorf("shown is %v, want %v", got[:min(len(got), 9)], want)
	}
}

// theme has the browser ask for light or dark.
func (p *tab) theme(name string) {
	p.t.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}
