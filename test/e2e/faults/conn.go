package faults

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
)

type connKey struct{}

// withConn lets a handler find the connection that its request came on.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// reset closes a connection so that the peer gets a TCP reset, for all requests that are on it.
func reset(ctx context.Context) {
	c, _ := ctx.Value(connKey{}).(net.Conn)
	if secured, ok := c.(*tls.Conn); ok {
		c = secured.NetConn()
	}
	if plain, ok := c.(*net.TCPConn); ok {
		_ = plain.SetLinger(0) // fails only where the connection is closed already
		_ = plain.Close()
	}
}

// dialer keeps the connections that it made, so that they can be closed with streams on them: a
// transport closes idle ones only, and a stream outlives its request for a moment.
type dialer struct {
	net.Dialer
	mu    sync.Mutex
	conns []net.Conn
}

func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.conns = append(d.conns, c)
	return c, nil
}

func (d *dialer) closeAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.conns {
		_ = c.Close() // fails only where it is closed already
	}
}
