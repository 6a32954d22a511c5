package progress

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// silent is how long a command that prints no progress compiles before it says so.
const silent = 10 * time.Second

// Patience says once that a command without a Progress compiles for long.
type Patience struct {
	to io.Writer
	// after calls a function later, unless stop is called before.
	after func(d time.Duration, f func()) (stop func())
	once  sync.Once
}

// NewPatience returns a patience that prints to a writer.
func NewPatience(to io.Writer) *Patience {
	return &Patience{to: to, after: func(d time.Duration, f func()) func() {
		t := time.AfterFunc(d, f)
		return func() { t.Stop() }
	}}
}

type patienceKey struct{}

// WithPatience returns a context that carries p.
func WithPatience(ctx context.Context, p *Patience) context.Context {
	return context.WithValue(ctx, patienceKey{}, p)
}

// Compiling says that the command compiles, if done is not called in time. The context may have no
// patience.
func Compiling(ctx context.Context) (done func()) {
	p, _ := ctx.Value(patienceKey{}).(*Patience)
	if p == nil {
		return func() {}
	}
	return p.after(silent, func() {
		p.once.Do(func() {
			fmt.Fprintln(p.to, "the go command is still compiling dependencies, which the first run in a module does; --progress shows how far it is")
		})
	})
}
