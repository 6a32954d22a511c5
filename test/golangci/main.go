// Command golangci is the real golangci-lint with event-gen's plugin linked in, as `golangci-lint
// custom` would build it.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/event-gen/event-gen/analyzer/golangci"
)

func main() {
	if err := commands.Execute(commands.BuildInfo{GoVersion: "go", Version: "test", Commit: "none", Date: "none"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitcodes.Failure)
	}
}
