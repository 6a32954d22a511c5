package broadcaster_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
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

// TestWatchFilter follows a mounted ConfigMap through changes, a mistake, and the removal of the
// key.
func TestWatchFilter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := configMap{t.TempDir()}
		path := filepath.Join(m.folder, "filter")
		if err := os.Symlink(filepath.Join("..data", "filter"), path); err != nil {
			t.Fatal(err)
		}
		m.set(t, "1", "drop type=Normal\n")
		b, log := start(t, broadcaster.Options{Sink: newStore()})
		ctx, cancel := context.WithCancel(t.Context())
		if err := b.WatchFilter(ctx, path); err != nil {
			t.Fatal(err)
		}
		holds := func(want, mistake string) {
			t.Helper()
			time.Sleep(6 * time.Second)
			synctest.Wait()
			s := b.Snapshot(0)
			var rules []string
			for _, r := range s.Filter {
				rules = append(rules, r.Rule)
			}
			if got := strings.Join(rules, "; "); got != want || !strings.HasPrefix(s.FilterErr, mistake) || (mistake == "") != (s.FilterErr == "") {
				t.Errorf("filter %q, error %q; want %q, %q", got, s.FilterErr, want, mistake)
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
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if logged := strings.Join(log.all(), "\n"); strings.Count(logged, "was read") != 3 || strings.Count(logged, "can't be used") != 2 {
			t.Errorf("logged\n%s", logged)
		}
		if err := b.WatchFilter(t.Context(), path); err == nil || !strings.Contains(err.Error(), "has ended") {
			t.Errorf("after Shutdown: %v", err)
		}
	})
}

// TestWatchFilterFromTheStart: a file that is wrong at the start is an error, is followed all the
// same, and ends with Shutdown.
func TestWatchFilterFromTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "filter")
		var f broadcaster.Filter
		if err := f.Set("drop type=Normal"); err != nil {
			t.Fatal(err)
		}
		b, _ := start(t, broadcaster.Options{Sink: newStore(), Filter: f})
		if err := b.WatchFilter(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("a file that is not there: %v", err)
		}
		if got := b.Snapshot(0).Filter; len(got) != 1 {
			t.Errorf("the filter before is gone: %v", got)
		}
		if err := os.WriteFile(path, []byte("drop reason=Created; drop reason=Failed"), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got := b.Snapshot(0).Filter; len(got) != 2 {
			t.Errorf("the file was not taken up: %v", got)
		}
		if err := os.WriteFile(path, make([]byte, 2<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		synctest.Wait()
		if got := b.Snapshot(0).FilterErr; !strings.Contains(got, "at most 1048576 bytes") {
			t.Errorf("a file of 2 MiB: %q", got)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
