package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// loader finds facts by loading the packages of all wanted types at once. gengo's own loader refuses a module in which a
// package is missing, which is the normal state before its events are generated, and takes no stand-ins.
type loader struct {
	dir string
	// outputs are the files that will be generated, and the names of their packages.
	outputs map[string]string
}

func (l *loader) resolve(ctx context.Context, wants []want) (map[want]typeFacts, diag.Findings) {
	facts := make(map[want]typeFacts, len(wants))
	if len(wants) == 0 {
		return facts, nil
	}
	paths := pathsOf(wants)
	loaded, problems := l.load(ctx, paths)
	for _, w := range wants {
		switch pkg := loaded[w.path]; {
		case pkg != nil:
			facts[w] = factsOf(pkg, w)
		default:
			facts[w] = typeFacts{Problem: problems[w.path]}
		}
	}
	return facts, nil
}

func pathsOf(wants []want) []string {
	var paths []string
	for _, w := range wants {
		paths = append(paths, w.path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// mostProblem bounds what a finding quotes of the go command, in bytes.
const mostProblem = 400

// brief is a message of the go command on one line.
func brief(text string) string {
	return eventrt.Clean(strings.Join(strings.Fields(text), " "), mostProblem)
}

func (n want) missing() string { return fmt.Sprintf("package %s has no type %s", n.path, n.name) }
