package eventdebug

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// rows is the largest number of reasons, objects, waiting events and refusals shown.
const rows = 20

// Handler returns a handler that shows snapshots, those of a Broadcaster's method Snapshot, as
// HTML, or as JSON if the client prefers application/json to text/html. The query format=json or
// format=html decides before that. It answers GET and HEAD. It makes one page at a time, so that
// frequent requests hold up each other and not the broadcaster.
func Handler(snapshot func(most int) broadcaster.Snapshot) http.Handler {
	return &handler{snapshot: snapshot}
}

type handler struct {
	snapshot func(most int) broadcaster.Snapshot
	mu       sync.Mutex // held while a page is made
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	if err := h.render(&b, asJSON); err != nil {
		http.Error(w, "the page can't be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	header.Set("Content-Type", "text/html; charset=utf-8")
	if asJSON {
		header.Set("Content-Type", "application/json")
	}
	_, _ = w.Write(b.Bytes())
}

func (h *handler) render(b *bytes.Buffer, asJSON bool) error {
	p := h.page()
	if !asJSON {
		writeHTML(b, p)
		return nil
	}
	e := json.NewEncoder(b)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

func (h *handler) page() *page {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.snapshot(rows)
	return pageOf(&s)
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
