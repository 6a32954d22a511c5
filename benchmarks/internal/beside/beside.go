// Package beside keeps a processor busy by a second process, as a machine does that has other work.
package beside

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
)

// Flag is the argument that makes a program which calls Main the second process.
const Flag = "-keep-a-processor-busy"

// Main is the second process, if the arguments say so: it computes in one thread until its standard input ends, as it does with the
// process that started it.
func Main(args []string) {
	if len(args) != 1 || args[0] != Flag {
		return
	}
	runtime.GOMAXPROCS(1)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for n := uint64(1); ; n = n*6364136223846793005 + 1442695040888963407 {
		sink = n
	}
}

var sink uint64

// Start starts this program a second time, to keep a processor busy. Stop ends that.
func Start() (stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, Flag)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the process that keeps a processor busy does not start: %w", err)
	}
	return func() {
		_ = stdin.Close()
		_ = cmd.Wait() // it has nothing to say
	}, nil
}
