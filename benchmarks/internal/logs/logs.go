// Package logs is where klog writes while benchmarks run: lines are made and thrown away, since a controller's log would cost more than
// that. Those that say that an event occurred are counted.
package logs

import (
	"bytes"
	"flag"
	"sync/atomic"

	"k8s.io/klog/v2"
)

var occurred atomic.Int64

// Mute throws away what is logged from here on.
func Mute() {
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Parse([]string{"-logtostderr=false", "-stderrthreshold=FATAL"}) // panics instead
	klog.SetOutput(counter{})
}

// Occurred is the number of lines about events since the process began. All recorders begin them with the same words.
func Occurred() int64 { return occurred.Load() }

type counter struct{}

func (counter) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Event occurred")) {
		occurred.Add(1)
	}
	return len(line), nil
}
