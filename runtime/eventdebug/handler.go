package eventdebug

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// Page shows the state of broadcasters, joined, as HTML, or as JSON if the client prefers
// application/json to text/html. The query format=json or format=html decides before that. It
// answers GET and HEAD. It makes one page at a time, so that frequent requests hold up each other
// and not the broadcasters. It is safe for concurrent use.
type Page struct {
	making sync.Mutex // held while a page is made

	mu         sync.Mutex
	shown      []*broadcaster.Broadcaster
	refusals   recent
	rejections recent
}

// New returns a page that shows broadcasters, with the refusals from now on.
func New(all ...*broadcaster.Broadcaster) *Page {
	p := &Page{}
	for _, b := range all {
		p.Add(b)
	}
	return p
}

// Add shows one more broadcaster, with its refusals from now on, until remove is called.
func (p *Page) Add(b *broadcaster.Broadcaster) (remove func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = append(p.shown, b)
	stop := b.AttachObserver(broadcaster.Observer{Rejected: p.rejected, Written: p.written})
	return func() {
		stop()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.shown = slices.DeleteFunc(p.shown, func(other *broadcaster.Broadcaster) bool { return other == b })
	}
}

// broadcasters returns those that are shown.
func (p *Page) broadcasters() []*broadcaster.Broadcaster {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.shown)
}

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "expected GET or HEAD, found "+r.Method, http.StatusMethodNotAllowed)
		return
	}
	asJSON, ok := format(r)
	if !ok {
		http.Error(w, "query format: expected html or json", http.StatusBadRequest)
		return
	}
	var b bytes.Buffer // whole, or an error: no half page
	if err := p.render(&b, asJSON); err != nil {
		http.Error(w, "the page can't be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	if asJSON {
		header.Set("Content-Type", "application/json")
	}
	_, _ = w.Write(b.Bytes())
}

func (p *Page) render(b *bytes.Buffer, asJSON bool) error {
	p.making.Lock()
	s := p.state()
	p.making.Unlock()
	if !asJSON {
		writeHTML(b, s)
		return nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	b.WriteString(visible(string(text)) + "\n")
	return err
}

// format returns the format that a request asks for; ok is false for an unknown one.
func format(r *http.Request) (asJSON, ok bool) {
	switch r.URL.Query().Get("format") {
	case "json":
		return true, true
	case "html":
		return false, true
	case "":
		accept := r.Header.Get("Accept")
		return strings.Contains(accept, "application/json") && !strings.Contains(accept, "text/html"), true
	}
	return false, false
}
