package main

import (
	"fmt"
	"io"
	"regexp"
)

// runTimePath is the module that generated code imports.
const runTimePath = "github.com/event-gen/event-gen/runtime"

// notRequired are the words in which the go command says that no module of the build has the run time. In others it says why the modules can't
// be read: then go get would fail, too.
var notRequired = regexp.MustCompile(`(?:no required module provides|cannot find module providing) package ` + regexp.QuoteMeta(runTimePath))

// sayGoGet says what a module without the run time lacks, if this is what a text tells.
func sayGoGet(w io.Writer, text string) {
	if notRequired.MatchString(text) {
		fmt.Fprintf(w, "the module does not require the run time yet: go get %s\n", runTimePath)
	}
}
