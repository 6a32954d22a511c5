package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// names are those under which browsers of the family are installed.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless-shell"}

var chromium string

// TestMain fails without a browser: a page that was not looked at is not tested.
func TestMain(m *testing.M) {
	path, err := findBrowser()
	if err != nil {
		fmt.Fprintf(os.Stderr, "\nNO BROWSER, SO THE PAGE IS NOT TESTED: %v\n\n", err)
		os.Exit(1)
	}
	chromium = path
	os.Exit(m.Run())
}

// findBrowser gives the browser that BROWSER_PATH or PATH names, or installs Debian's.
func findBrowser() (string, error) {
	if path := os.Getenv("BROWSER_PATH"); path != "" {
		return exec.LookPath(path)
	}
	if path := lookFor(names); path != "" {
		return path, nil
	}
	if os.Geteuid() != 0 || lookFor([]string{"apt-get"}) == "" {
		return "", fmt.Errorf("none of %s is in PATH; install Chromium, or set BROWSER_PATH", strings.Join(names, ", "))
	}
	if err := install(); err != nil {
		return "", err
	}
	if path := lookFor(names); path != "" {
		return path, nil
	}
	return "", fmt.Errorf("apt-get installed chromium, and it is not in PATH")
}

func lookFor(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func install() error {
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core"}} {
		fmt.Fprintln(os.Stderr, "apt-get", strings.Join(args, " "))
		cmd := exec.Command("apt-get", args...)
		cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("apt-get %s: %v\n%s", args[0], err, out)
		}
	}
	return nil
}

// start starts a browser with a profile of its own, which knows no host but this one.
func start(t *testing.T) context.Context {
	t.Helper()
	opts := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(chromium),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.WSURLReadTimeout(time.Minute),
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	// Cancel waits for the browser's end, so that its profile can be removed.
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return limited
}
