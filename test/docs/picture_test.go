package docs

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"testing"
)

var shot = flag.Bool("shot", false, "docs/eventdebug.png was shot just now: record of which page; test/browser says so")

// TestPictureIsNew notices that the page of runtime/eventdebug has other texts, or another style,
// than when docs/eventdebug.png was shot.
func TestPictureIsNew(t *testing.T) {
	const record = "docs/eventdebug.sum"
	now := fmt.Sprintf("%x  the texts and the style of runtime/eventdebug\n%x  eventdebug.png\n",
		sha256.Sum256([]byte(texts(t, "runtime/eventdebug/html.go")+read(t, "runtime/eventdebug/page.css"))), sha256.Sum256([]byte(read(t, "docs/eventdebug.png"))))
	if *shot {
		put(t, root+"/"+record, now)
	}
	if read(t, record) != now {
		t.Errorf("docs/eventdebug.png shows another page: shoot it anew by GOWORK=off go -C test/browser test -run TestDebugPage -update .")
	}
}

// texts are the string literals of a Go file.
func texts(t *testing.T, name string) (all string) {
	t.Helper()
	source := []byte(read(t, name))
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(source)), source, nil, 0)
	for {
		_, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return all
		case token.STRING:
			all += text
		}
	}
}
