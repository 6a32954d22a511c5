#!/bin/sh
# Plays the demo in memory, then shows errors of the compiler. Called by make demo.
set -eu
GO=${GO:-go}

"$GO" run ./examples/demo

# refused PROGRAM TITLE: PROGRAM must not compile; prints the compiler's errors.
refused() {
	printf '\n%s\n' "$2"
	if said=$("$GO" build "./examples/wrong/testdata/$1" 2>&1); then
		echo "expected a compile error, but it compiles: examples/wrong/testdata/$1" >&2
		exit 1
	fi
	printf '%s\n' "$said"
}
refused misspelt "A misspelt reason:"
refused kind "An event about the wrong kind:"
refused value "A value that the catalog does not declare:"
