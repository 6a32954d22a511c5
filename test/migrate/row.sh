#!/usr/bin/env bash
# Migrates a copy of a clone of a Go repository, and prints the row of the table in docs/adopting.md:
#
#	test/migrate/row.sh FOLDER [PACKAGES...]
#
# The packages are ./... by default. TEST is the command whose results are compared before and after; empty: none is run. The copy
# stays in WORK, a new temporary folder by default; the folder itself is not changed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(cd "$1" && pwd)
shift
packages=("${@:-./...}")
work=${WORK:-$(mktemp -d)}
copy=$work/$(basename "$folder")

mkdir -p "$work"
(cd "$root" && go build -o "$work/event-gen" ./cmd/event-gen)
cp -r "$folder" "$copy"
cd "$copy"
commit=$(git rev-parse --short HEAD)
export GOFLAGS="-mod=mod -buildvcs=false"
go mod edit -require=github.com/event-gen/event-gen/runtime@v0.1.0 -replace="github.com/event-gen/event-gen/runtime=$root/runtime"

start=$(date +%s)
"$work/event-gen" scan -o events.yaml "${packages[@]}" >/dev/null
args=(migrate --write --catalog=events.yaml)
[[ -z "${TEST:-}" ]] || args+=(--test "$TEST")
# Only what migrate changes is in question, not files that the clone lacks.
"$work/event-gen" "${args[@]}" "${packages[@]}" >"$work/table.txt" 2>"$work/log.txt" || { cat "$work/log.txt" >&2; exit 1; }
seconds=$(($(date +%s) - start))

tests=$(sed -n 's/^the tests end as before: //p' "$work/log.txt")
lines=$(git diff --numstat -- '*.go' | awk '{added += $1; removed += $2} END {print "+" added+0 " -" removed+0}')
echo "| $(basename "$folder") $commit | $(tail -n 1 "$work/table.txt") | $lines | ${tests:-not run} | $seconds s |"
echo "the verdicts are in $work/table.txt, the change in $copy" >&2
