package eventlog

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// flushBytes is the number of bytes that are gathered before a write while events come without a
// pause.
const flushBytes = 64 << 10

// JSON writes events as lines of JSON, one for each occurrence. Lines that can't be written
// are counted, and said once; nothing is tried twice, so that a writer that fails holds up nothing
// and fills no memory. Attach it to one broadcaster. Its counts are safe for concurrent use.
type JSON struct {
	w      io.Writer
	close  io.Closer // nil: the writer is the caller's
	logger logr.Logger

	buffer []byte
	torn   bool // the last write ended within a line

	lines, lost, failures atomic.Uint64
}

// NewJSON returns a JSON that writes to w, each call of which gets whole lines. w is flushed to
// whenever no event waits, and is not closed. It is called from one goroutine at a time. The logger
// takes the first error of the writer; the zero Logger: klog.
func NewJSON(w io.Writer, logger logr.Logger) *JSON {
	if logger.IsZero() {
		logger = klog.Background().WithName("event-gen")
	}
	return &JSON{w: w, logger: logger}
}

// Stats counts the lines that were written, those that the writer did not take, and its failed
// calls.
func (j *JSON) Stats() (lines, lost, failures uint64) {
	return j.lines.Load(), j.lost.Load(), j.failures.Load()
}

// Subscriber returns the subscriber to attach to a broadcaster. Shutdown flushes, and closes a file
// of OpenJSON.
func (j *JSON) Subscriber() broadcaster.Subscriber {
	return broadcaster.Subscriber{Name: "json", Show: j.show, Idle: j.flush, End: j.end}
}

func (j *JSON) show(e eventrt.Event) {
	j.buffer = appendLine(j.buffer, &e)
	if len(j.buffer) >= flushBytes {
		j.flush()
	}
}

// flush hands what was gathered to the writer. What it does not take is lost.
func (j *JSON) flush() {
	if len(j.buffer) == 0 {
		return
	}
	all := j.buffer
	j.buffer = j.buffer[:0]
	total := countLines(all)
	if j.torn {
		all = append([]byte{'\n'}, all...)
	}
	n, err := j.w.Write(all)
	n = min(max(n, 0), len(all))
	written := countLines(all[:n])
	if j.torn && n > 0 {
		j.torn = false
		written--
	}
	if n > 0 {
		j.torn = all[n-1] != '\n'
	}
	j.lines.Add(uint64(written))
	if n == len(all) && err == nil {
		return
	}
	j.lost.Add(uint64(total - written))
	j.failed(err)
}

func countLines(b []byte) int { return bytes.Count(b, []byte{'\n'}) }

func (j *JSON) failed(err error) {
	if err == nil {
		err = io.ErrShortWrite
	}
	if j.failures.Add(1) == 1 {
		j.logger.Error(err, "Lines of events can't be written; further errors are only counted")
	}
}

func (j *JSON) end() error {
	j.flush()
	if j.close == nil {
		return nil
	}
	if err := j.close.Close(); err != nil {
		return fmt.Errorf("close the file of event lines: %w", err)
	}
	return nil
}
