package browser

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestPictures shoots the page in both themes, on a desk and on a phone, into the folder PICTURES,
// to be looked at.
func TestPictures(t *testing.T) {
	folder := os.Getenv("PICTURES")
	if folder == "" {
		t.Skip("PICTURES names no folder to put pictures into")
	}
	p := open(t, makePage(t, examples...))
	screens := map[string]step{
		"desk":  chromedp.EmulateViewport(1280, 900),
		"phone": chromedp.EmulateViewport(390, 844, chromedp.EmulateScale(2), chromedp.EmulateMobile),
	}
	for _, scheme := range []string{"light", "dark"} {
		for screen, viewport := range screens {
			p.theme(scheme)
			p.run(viewport)
			p.shootAll(filepath.Join(folder, scheme+"-"+screen))
		}
	}
}

func (p *tab) shootAll(name string) {
	p.t.Helper()
	p.search("")
	eval[any](p, `document.activeElement.blur(), scrollTo(0, 0)`)
	p.shoot(name + ".png")
	p.search(`Failed to pull image "nginx:lates": not found`)
	p.shoot(name + "-message.png")
	p.search("")
	eval[any](p, `location.hash = "", location.hash = "QuotaExceeded"`)
	p.shoot(name + "-link.png")
}

func (p *tab) shoot(path string) {
	p.t.Helper()
	picture, err := chromedp.Run(p, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
