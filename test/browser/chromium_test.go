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

// chromium is the browser, in which each test has a tab of its own.
var chromium context.Context

// TestMain fails without a browser: a page that was not looked at is not tested.
func TestMain(m *testing.M) {
	code, err := runIn(m)
	if err != nil {
		fmt.Fprintf(os.Stderr, "\nNO BROWSER, SO THE PAGE IS NOT TESTED: %v\n\n", err)
		code = 1
	}
	os.Exit(code)
}

func runIn(m *testing.M) (int, error) {
	path, err := findBrowser()
	if err != nil {
		return 0, err
	}
	profile, err := os.MkdirTemp("", "event-gen-browser")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(profile)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options(path, profile)...)
	defer stop()
	ctx, closeBrowser := chromedp.NewContext(allocator)
	defer closeBrowser()
	if err := chromedp.Do(ctx); err != nil {
		return 0, err
	}
	// Cancel waits for the browser's end, so that its profile can be removed.
	defer func() { _ = chromedp.Cancel(ctx) }()
	chromium = ctx
	return m.Run(), nil
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

// options make a quiet browser with an empty profile, which knows no host but this one.
func options(path, profile string) []chromedp.ExecAllocatorOption {
	return []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
	}
}

// newTab opens a tab of the test's own, for at most two minutes.
func newTab(t *testing.T) context.Context {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(chromium)
	t.Cleanup(closeTab)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return limited
}
