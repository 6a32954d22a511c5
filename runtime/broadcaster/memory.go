package broadcaster

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// All broadcasters whose options have no MaxBytes share an eighth of the memory that the process
// may use, between leastMemory and mostMemory. The shares are equal.
const (
	leastMemory = 8 << 20
	mostMemory  = 64 << 20
)

// limitFiles hold a cgroup's limit, for versions 2 and 1, as a container sees them
// (https://docs.kernel.org/admin-guide/cgroup-v2.html).
var limitFiles = [...]string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}

// memoryLimit is the memory that the process may use, in bytes: GOMEMLIMIT, else the limit of its
// cgroup, else MaxInt64.
func memoryLimit(gomemlimit int64, readFile func(name string) ([]byte, error)) int64 {
	if gomemlimit != math.MaxInt64 {
		return gomemlimit
	}
	for _, name := range limitFiles {
		text, err := readFile(name)
		if err != nil {
			continue
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
			return n
		}
	}
	return math.MaxInt64
}

// memoryFor is the memory of all broadcasters together if the process has a limit.
func memoryFor(limit int64) int64 { return min(max(limit/8, leastMemory), mostMemory) }

// memory is shared by the broadcasters of a process that have no bound of their own.
type memory struct {
	limit func() int64
	mu    sync.Mutex
	users map[*Broadcaster]struct{}
}

// processMemory is the memory of this process. GOMEMLIMIT may be set by the program.
var processMemory = memory{users: map[*Broadcaster]struct{}{}, limit: func() int64 {
	return memoryLimit(debug.SetMemoryLimit(-1), os.ReadFile)
}}

// join gives a broadcaster its share, and the others theirs anew.
func (m *memory) join(b *Broadcaster) {
	all := memoryFor(m.limit()) // it may read a file, so without the lock
	m.mu.Lock()
	defer m.mu.Unlock()
	m.users[b] = struct{}{}
	m.share(all)
}

// leave gives the share of a broadcaster to the others.
func (m *memory) leave(b *Broadcaster) {
	all := memoryFor(m.limit())
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.users, b)
	m.share(all)
}

// share divides the memory. The lock is held.
func (m *memory) share(all int64) {
	each := all / int64(max(1, len(m.users)))
	for b := range m.users {
		b.mu.Lock()
		b.maxBytes = each
		b.c.SetMaxBytes(each)
		now := b.clock.Now().Mono
		b.follow(now, now) // a writer evicts what is beyond the bound
		b.mu.Unlock()
	}
}
