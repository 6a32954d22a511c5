// Command event-gen-vet reports Kubernetes events that Go code records without a catalog, and
// mistakes in calls that record events. Run event-gen-vet ./..., or go vet -vettool=$(which
// event-gen-vet) ./... .
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/event-gen/event-gen/analyzer"
)

func main() { singlechecker.Main(analyzer.Analyzer) }
