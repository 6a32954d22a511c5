// Command event-gen-vet reports Kubernetes events that Go code records without a catalog, and what
// is wrong with the calls: by itself (event-gen-vet ./...), or as go vet -vettool=$(which
// event-gen-vet) ./... .
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/event-gen/event-gen/analyzer"
)

func main() { singlechecker.Main(analyzer.Analyzer) }
