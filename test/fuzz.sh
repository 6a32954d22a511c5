#!/usr/bin/env bash
# Runs the fuzz targets of the workspace, one after the other, each for a time, and keeps some of
# the inputs that it finds:
#
#	test/fuzz.sh [TIME [TARGET]]
#
# TIME is a minute by default, TARGET a regular expression for names such as FuzzRead; by default
# all. What breaks a promise is kept in testdata/fuzz of its package by the go command, and ends the
# script with 1 after the last target. Of the inputs that reach new code some are added there, up to
# 40 a target and 4 KiB each, so that every "go test" plays them. Their names are hashes, so the
# first are a sample.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-1m} wanted=${2:-.} failed=()
cache=$(go env GOCACHE)/fuzz
while IFS=: read -r file name; do
	dir=$(dirname "$file")
	echo "== $name in $dir"
	if ! go test -vet=off -run='^$' -fuzz="^$name\$" -fuzztime="$time" "./$dir"; then failed+=("$dir.$name"); fi
	kept=$dir/testdata/fuzz/$name found=$cache/$(go list -f '{{.ImportPath}}' "./$dir")/$name
	[[ -d $found ]] || continue
	mkdir -p "$kept"
	for input in "$found"/*; do
		[[ $(ls "$kept" | wc -l) -lt 40 ]] || break
		[[ $(wc -c <"$input") -gt 4096 ]] || cp "$input" "$kept/"
	done
done < <(git grep --untracked -E '^func Fuzz' -- '*_test.go' | sed -E 's/^([^:]*):func (Fuzz[A-Za-z0-9]*)\(.*/\1:\2/' | grep -E ":.*($wanted)" || true)
if [[ ${#failed[@]} -gt 0 ]]; then
	printf 'failed: %s\n' "${failed[@]}"
	exit 1
fi
