package broadcaster

import (
	"errors"
	"sync"
	"time"

	"github.com/go-logr/logr"
)

// maxLines is the number of log lines that may wait for the Logger.
const maxLines = 256

// lines hands log lines to the Logger in a goroutine of its own, so that a Logger that blocks holds
// up nobody. The goroutine ends when no line waits. While maxLines wait, further lines are dropped
// and counted. It is safe for concurrent use.
type lines struct {
	logger logr.Logger

	mu      sync.Mutex
	waiting []func()
	written chan struct{} // closed when no line waits; nil: none does
	dropped uint64
	told    uint64 // dropped lines that a line has named
}

// whatToDo holds the advice for each line.
const whatToDo = "https://github.com/event-gen/event-gen/blob/main/docs/operating.md#what-is-logged"

// error logs a line. Of an error the Logger gets the text alone, shortened.
func (l *lines) error(err error, text string, about ...any) {
	if err != nil {
		err = errors.New(textOf(err))
	}
	l.put(func() { l.logger.Error(err, text, append(about, "see", whatToDo)...) })
}

func (l *lines) info(text string, about ...any) {
	l.put(func() { l.logger.Info(text, about...) })
}

func (l *lines) put(line func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) >= maxLines {
		l.dropped++
		return
	}
	l.waiting = append(l.waiting, line)
	if l.written == nil {
		l.written = make(chan struct{})
		go l.run()
	}
}

// run writes lines until none waits. A line during which the Logger panics, or ends the goroutine,
// is lost.
func (l *lines) run() {
	over := false
	defer func() {
		if !over {
			go l.run()
		}
	}()
	for line := l.next(); line != nil; line = l.next() {
		guarded(line)
	}
	over = true
}

func guarded(line func()) {
	defer func() { _ = recover() }()
	line()
}

// next returns the line to write; nil if none waits.
func (l *lines) next() (line func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := l.dropped - l.told; n > 0 {
		l.told = l.dropped
		return func() {
			l.logger.Error(nil, "Log lines were dropped because the logger was too slow", "dropped", n, "see", whatToDo)
		}
	}
	if len(l.waiting) == 0 {
		close(l.written)
		l.waiting, l.written = nil, nil
		return nil
	}
	line = l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	return line
}

// flush waits until no line waits, but no longer than most.
func (l *lines) flush(most time.Duration) {
	l.mu.Lock()
	written := l.written
	l.mu.Unlock()
	if written == nil {
		return
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-written:
	case <-timer.C:
	}
}

// lost returns the number of dropped lines.
func (l *lines) lost() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped
}
