package eventfilter_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"

	"github.com/event-gen/event-gen/runtime/eventfilter"
)

// configMap is a folder as the kubelet mounts a ConfigMap: the file is a link through the link
// ..data to a folder that is replaced as a whole.
type configMap struct{ folder string }

// set replaces the content; "" leaves the key out.
func (m configMap) set(t *testing.T, version, content string) {
	t.Helper()
	data := filepath.Join(m.folder, "..version_"+version)
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if content != "" {
		if err := os.WriteFile(filepath.Join(data, "filter"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	next := filepath.Join(m.folder, "..data_tmp")
	if err := os.Symlink(data, next); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(m.folder, "..data")); err != nil {
		t.Fatal(err)
	}
}

// TestWatch follows a mounted ConfigMap through changes, a mistake, and the removal of the
// key.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := configMap{t.TempDir()}
		path := filepath.Join(m.folder, "filter")
		if err := os.Symlink(filepath.Join("..data", "filter"), path); err != nil {
			t.Fatal(err)
		}
		m.set(t, "1", "drop type=Normal\n")
		var f eventfilter.Filter
		var logged []string
		logger := funcr.New(func(prefix, args string) { logged = append(logged, args); panic("full") }, funcr.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		if err := f.Watch(ctx, path, logger); err != nil {
			t.Fatal(err)
		}
		holds := func(want, mistake string) {
			t.Helper()
			time.Sleep(6 * time.Second)
			synctest.Wait()
			mistook := ""
			if f.Err() != nil {
				mistook = f.Err().Error()
			}
			if got := f.String(); got != want || !strings.HasPrefix(mistook, mistake) || (mistake == "") != (mistook == "") {
				t.Errorf("filter %q, error %q; want %q, %q", got, mistook, want, mistake)
			}
		}
		holds("drop type=Normal", "")
		m.set(t, "2", "# quiet nights\ndrop type=Normal namespace=test\nkeep reason=Created\n")
		holds("drop type=Normal namespace=test; keep reason=Created", "")
		m.set(t, "3", "drop type=Normal namespace=test\nkepe reason=Created\n")
		holds("drop type=Normal namespace=test; keep reason=Created", path+":2:1: expected a rule")
		// and is logged once
		holds("drop type=Normal namespace=test; keep reason=Created", path+":2:1: expected a rule")
		m.set(t, "4", "")
		holds("drop type=Normal namespace=test; keep reason=Created", "open "+path)
		m.set(t, "5", "# all\n")
		holds("", "")
		cancel()
		time.Sleep(6 * time.Second)
		m.set(t, "6", "drop type=Normal\n")
		holds("", "")
		if all := strings.Join(logged, "\n"); strings.Count(all, "was read") != 3 || strings.Count(all, "can't be used") != 2 {
			t.Errorf("logged\n%s", all)
		}
	})
}

// TestWatchFromTheStart: a file that is wrong at the start is an error, and is followed all the
// same.
func TestWatchFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "filter")
		f := filter(t, "drop type=Normal")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := f.Watch(ctx, path, logr.Discard()); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("a file that is not there: %v", err)
		}
		if got := f.String(); got != "drop type=Normal" {
			t.Errorf("the filter before is gone: %q", got)
		}
		write := func(content []byte) {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			time.Sleep(6 * time.Second)
			synctest.Wait()
		}
		write([]byte("drop reason=Created; drop reason=Failed"))
		if got := f.String(); got != "drop reason=Created; drop reason=Failed" {
			t.Errorf("the file was not taken up: %q", got)
		}
		write(make([]byte, 2<<20))
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), "at most 1048576 bytes") {
			t.Errorf("a file of 2 MiB: %v", err)
		}
	})
}
