package faults

import (
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

// Proxy passes requests on to an API server, unless its script says otherwise. It is safe for
// concurrent use.
type Proxy struct {
	server    *httptest.Server
	upstream  *url.URL
	dialer    *dialer
	transport *http.Transport
	config    *rest.Config
	watches   *httputil.ReverseProxy // of requests whose replies have no end
	script    *script
	late      sync.WaitGroup // requests that nobody waits for any more
	closed    chan struct{}
}

// New starts a proxy to the server of a configuration. It passes everything on until Play is
// called. End it with Close.
func New(server *rest.Config, seed uint64) (*Proxy, error) {
	upstream, _, err := rest.DefaultServerUrlFor(server)
	if err != nil {
		return nil, fmt.Errorf("the server's address: %w", err)
	}
	tlsConfig, err := rest.TLSConfigFor(server)
	if err != nil {
		return nil, fmt.Errorf("the server's certificates: %w", err)
	}
	p := &Proxy{
		upstream: upstream,
		dialer:   &dialer{},
		script:   newScript(seed),
		closed:   make(chan struct{}),
	}
	p.transport = newTransport(tlsConfig, p.dialer)
	p.watches = p.newWatches()
	p.server = newServer(p)
	p.config = p.configFor(server)
	return p, nil
}

func newTransport(config *tls.Config, d *dialer) *http.Transport {
	return &http.Transport{TLSClientConfig: config, DialContext: d.dial, ForceAttemptHTTP2: true}
}

func (p *Proxy) newWatches() *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(p.upstream) },
		Transport:     p.transport,
		FlushInterval: -1, // each event at once
		ErrorLog:      log.New(io.Discard, "", 0),
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
}

func newServer(h http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.Config.ConnContext = withConn
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of the connections that are reset
	s.StartTLS()
	return s
}

// configFor is the configuration of a client, with the proxy in place of the server.
func (p *Proxy) configFor(server *rest.Config) *rest.Config {
	c := rest.CopyConfig(server)
	c.Host = p.server.URL
	c.TLSClientConfig = rest.TLSClientConfig{CAData: authorityOf(p.server)}
	return c
}

func authorityOf(s *httptest.Server) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
}

// Config returns how to reach the server through the proxy, with the rights of the configuration
// given to New. Each call returns a new value.
func (p *Proxy) Config() *rest.Config { return rest.CopyConfig(p.config) }

// Play begins a script in place of what is left of the one before. After its last step everything
// is passed on.
func (p *Proxy) Play(steps ...Step) { p.script.play(steps) }

// Over tells whether no step of the script is left.
func (p *Proxy) Over() bool { return p.script.over(time.Now()) }

// Counts says how many requests each fault was played to since New, by its name; "pass" are those
// that had none.
func (p *Proxy) Counts() map[string]int { return p.script.counted() }

// ServeHTTP implements http.Handler; only the proxy's own server calls it. Watches are passed on
// without faults.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("watch") {
		p.watches.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the client has gone
	}
	fault, random := p.script.next(time.Now())
	fault.play(&exchange{proxy: p, w: w, r: r, body: body, random: random})
}

// Close ends the proxy and its connections, those with requests on them too. Requests on their way
// to the server arrive before.
func (p *Proxy) Close() {
	close(p.closed)
	p.server.CloseClientConnections()
	p.server.Close()
	p.late.Wait()
	p.transport.CloseIdleConnections()
	p.dialer.closeAll()
}
