package cluster

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// EtcdURL returns the address of etcd's client interface, without TLS; its metrics are at /metrics.
func (c *Cluster) EtcdURL() string { return c.etcdURL() }

// ProcessorTime returns how much processor time the API server and etcd have used, all threads and
// the kernel on their behalf, in steps of 10 ms. It reads /proc, and is an error on systems without
// it.
func (c *Cluster) ProcessorTime() (apiServer, etcd time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.apiServerRuns(); err != nil {
		return 0, 0, err
	}
	if apiServer, err = processorTime(c.apiServer.pid()); err != nil {
		return 0, 0, err
	}
	etcd, err = processorTime(c.etcd.pid())
	return apiServer, etcd, err
}

// Linux counts processor time for user space in 100ths of a second on every platform (USER_HZ,
// proc(5)).
const tick = 10 * time.Millisecond

func processorTime(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("read the processor time of process %d: %w", pid, err)
	}
	return parseStat(stat)
}

// parseStat adds utime and stime, fields 14 and 15. The program's name, field 2, is in parentheses
// and may hold any character.
func parseStat(stat []byte) (time.Duration, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	const utime, stime = 14 - 3, 15 - 3 // field 3 is the first of them
	if len(fields) <= stime {
		return 0, fmt.Errorf("expected 15 fields or more in /proc/PID/stat, found %q", stat)
	}
	var ticks int64
	for _, f := range [][]byte{fields[utime], fields[stime]} {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("expected a number of ticks in /proc/PID/stat: %w", err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}
