package eventlog_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventlog"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// lineBytes is the size of the line of numbered(n).
func lineBytes(t *testing.T) int64 {
	t.Helper()
	var out bytes.Buffer
	b, _ := newBroadcaster(t)
	b.Attach(eventlog.NewJSON(&out, logr.Logger{}).Subscriber())
	b.Publish(numbered(0))
	shutdown(t, b)
	return int64(out.Len())
}

// numbered is an event whose line is of the same size for each n up to 99, since its time is set.
func numbered(n int) eventrt.Event {
	e := pulledEvent(fmt.Sprintf("%02d", n))
	internals.SetTime(&e, fixed)
	return e
}

// record publishes events from first to last into files, apart or all in one batch.
func record(t *testing.T, path string, opts eventlog.FileOptions, first, last int, apart bool) (jsonStats, *lines) {
	t.Helper()
	b, said := newBroadcaster(t)
	opts.Logger = said.logger(0)
	j, err := eventlog.OpenJSON(path, opts)
	if err != nil {
		t.Fatal(err)
	}
	b.Attach(j.Subscriber())
	for n := first; n <= last; n++ {
		b.Publish(numbered(n))
		if apart {
			synctest.Wait()
		}
	}
	shutdown(t, b)
	return statsOf(j), said
}

// contents are the numbers in each file of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var numbers []string
		for _, l := range parse(t, string(text)) {
			numbers = append(numbers, strings.TrimPrefix(l.Message, "Pulled image "))
		}
		found[filepath.Base(f)] = strings.Join(numbers, " ")
	}
	return found
}

func TestFilesAreRotatedAtTheExactBound(t *testing.T) {
	line := lineBytes(t)
	tests := []struct {
		name string
		max  int64
		keep int
		last int
		want map[string]string
	}{
		{"exactly full", 3 * line, 5, 3, map[string]string{"e": "01 02 03"}},
		{"one more", 3 * line, 5, 4, map[string]string{"e.1": "01 02 03", "e": "04"}},
		{"a byte short of three", 3*line - 1, 5, 3, map[string]string{"e.1": "01 02", "e": "03"}},
		{"a byte more than three", 3*line + 1, 5, 4, map[string]string{"e.1": "01 02 03", "e": "04"}},
		{"one each", line, 5, 3, map[string]string{"e.2": "01", "e.1": "02", "e": "03"}},
		{"a line is longer than a file may be", line - 1, 5, 3, map[string]string{"e.2": "01", "e.1": "02", "e": "03"}},
		{"more than are kept", 2 * line, 2, 9, map[string]string{"e.2": "05 06", "e.1": "07 08", "e": "09"}},
		{"one kept", 2 * line, 1, 5, map[string]string{"e.1": "03 04", "e": "05"}},
		{"none kept", 2 * line, -1, 5, map[string]string{"e": "05"}},
		{"the default number is kept", line, 0, 9, map[string]string{"e.5": "04", "e.4": "05", "e.3": "06", "e.2": "07", "e.1": "08", "e": "09"}},
		{"the default size", 0, 0, 9, map[string]string{"e": "01 02 03 04 05 06 07 08 09"}},
	}
	for _, tt := range tests {
		for _, apart := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, apart %v", tt.name, apart), func(t *testing.T) {
				folder := t.TempDir()
				synctest.Test(t, func(t *testing.T) {
					stats, said := record(t, filepath.Join(folder, "e"), eventlog.FileOptions{MaxBytes: tt.max, Keep: tt.keep}, 1, tt.last, apart)
					if stats != (jsonStats{Lines: uint64(tt.last)}) || len(said.all()) > 0 {
						t.Errorf("%+v, said %q", stats, said.all())
					}
				})
				if diff := cmp.Diff(tt.want, contents(t, folder)); diff != "" {
					t.Errorf("(- expected, + found):\n%s", diff)
				}
			})
		}
	}
}

func TestAFileIsContinued(t *testing.T) {
	line := lineBytes(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "e")
	opts := eventlog.FileOptions{MaxBytes: 3 * line}
	record(t, path, opts, 1, 2, false)
	record(t, path, opts, 3, 4, false)
	if diff := cmp.Diff(map[string]string{"e.1": "01 02 03", "e": "04"}, contents(t, folder)); diff != "" {
		t.Errorf("(- expected, + found):\n%s", diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestATornLineIsEndedFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "e")
	const torn = `{"time":"2026-`
	if err := os.WriteFile(path, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	record(t, path, eventlog.FileOptions{}, 1, 1, false)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(string(text), torn+"\n")
	if !ok || len(parse(t, rest)) != 1 {
		t.Errorf("found %q", text)
	}
}

// TestAFileThatCanNotBePutAsideStaysWithinItsBound loses lines rather than fill the disk.
func TestAFileThatCanNotBePutAsideStaysWithinItsBound(t *testing.T) {
	line := lineBytes(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "e")
	obstacle := filepath.Join(path+".1", "inside")
	if err := os.MkdirAll(obstacle, 0o700); err != nil {
		t.Fatal(err)
	}
	opts := eventlog.FileOptions{MaxBytes: 2 * line, Keep: 1}
	synctest.Test(t, func(t *testing.T) {
		stats, said := record(t, path, opts, 1, 5, true)
		if stats != (jsonStats{Lines: 2, Lost: 3, Errors: 3}) || len(said.all()) != 1 {
			t.Errorf("%+v, said %q", stats, said.all())
		}
	})
	if err := os.RemoveAll(path + ".1"); err != nil {
		t.Fatal(err)
	}
	record(t, path, opts, 6, 6, false)
	if diff := cmp.Diff(map[string]string{"e.1": "01 02", "e": "06"}, contents(t, folder)); diff != "" {
		t.Errorf("(- expected, + found):\n%s", diff)
	}
}

func TestAFullDeviceLosesLinesAndNothingElse(t *testing.T) {
	const device = "/dev/full"
	if _, err := os.Stat(device); err != nil {
		t.Skip("there is no ", device)
	}
	stats, said := record(t, device, eventlog.FileOptions{}, 1, 5, false)
	if stats.Lines != 0 || stats.Lost != 5 || stats.Errors == 0 {
		t.Errorf("%+v", stats)
	}
	if got := said.all(); len(got) != 1 || !strings.Contains(got[0], "no space left") {
		t.Errorf("said %q", got)
	}
}

func TestWhatCanNotBeOpenedIsSaidAtOnce(t *testing.T) {
	folder := t.TempDir()
	for _, path := range []string{"", folder, filepath.Join(folder, "missing", "e")} {
		if _, err := eventlog.OpenJSON(path, eventlog.FileOptions{}); err == nil || !strings.HasPrefix(err.Error(), "eventlog: ") {
			t.Errorf("path %q: %v", path, err)
		}
	}
	_, err := eventlog.OpenJSON(filepath.Join(folder, "e"), eventlog.FileOptions{MaxBytes: -1})
	if err == nil || !strings.Contains(err.Error(), "option MaxBytes") {
		t.Errorf("MaxBytes -1: %v", err)
	}
}
