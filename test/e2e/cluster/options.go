package cluster

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// LimitedUser is a user every cluster knows, who may do nothing until a test gives RBAC rules.
const LimitedUser = "limited"

// Options says how a cluster is started. The zero value works.
type Options struct {
	// Dir is an existing folder in which the cluster makes its temporary folder; empty means
	// os.TempDir().
	Dir string
	// Log receives progress of what takes minutes (building the servers), a line at a time, and
	// nothing else; nil means os.Stderr. It is used only until Start returns. What the servers
	// print is in LogTail.
	Log io.Writer
	// Users are names to be known besides LimitedUser. A name has no rights and is made of letters,
	// digits and ":.-_@".
	Users []string
	// EventTTL is how long the server keeps an event after its last write, in whole seconds; 0
	// means the server's default of an hour.
	EventTTL time.Duration
	// EventsEtcd has a second etcd store the events, and nothing else. EventsQuota bounds it, in
	// bytes; 0 means etcd's default of 2 GiB.
	EventsEtcd  bool
	EventsQuota int64
	// ExtraAPIServerArgs are passed to kube-apiserver after the harness's own; of a flag given
	// twice the last one counts.
	ExtraAPIServerArgs []string
}

func (o Options) progress() io.Writer {
	if o.Log == nil {
		return os.Stderr
	}
	return o.Log
}

// users lists every user but the administrator, each once.
func (o Options) users() []string {
	users := append([]string{LimitedUser}, o.Users...)
	slices.Sort(users)
	return slices.Compact(users)
}

func (o Options) check() error {
	if o.EventTTL < 0 || o.EventTTL%time.Second != 0 {
		return fmt.Errorf("EventTTL %v: expected a whole number of seconds, or 0 for the server's default", o.EventTTL)
	}
	return checkUsers(o.Users)
}

func checkUsers(users []string) error {
	for _, user := range users {
		if user == "" || user == adminUser || strings.ContainsFunc(user, notInUserName) {
			return fmt.Errorf("user %q: expected a name other than %q of letters, digits and \":.-_@\"", user, adminUser)
		}
	}
	return nil
}

func notInUserName(r rune) bool {
	isWord := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	return !isWord && !strings.ContainsRune(":.-_@", r)
}
