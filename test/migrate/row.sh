#!/usr/bin/env bash
# Migrates a copy of a Go repository, and prints its row of docs/evidence/runs.csv:
#
#	test/migrate/row.sh FOLDER[@COMMIT] [PACKAGES...]
#
# FOLDER is a folder with a go.mod, as it is; or at COMMIT, which is the newest one of a clone
# without a work tree. PACKAGES are ./... by default. FOLDER itself is not changed. Variables of the
# environment:
#
#	TEST    a command whose results are compared before and after, such as 'go test ./pkg/...'; without it no tests are run
#	ARGS    more arguments of migrate, such as '--fields --onto=events'
#	MODULE  the folder of the module in the repository; the repository's root by default
#	WORK    a folder for the copy, the catalog, the table of verdicts and the log; a new one in TMPDIR by default
#
# It ends with the time of each step on stderr. What the step compiles is part of it; a second run
# shows the time without that.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[[ $# -gt 0 ]] || { sed -n 's/^# \{0,1\}//p' "$0" >&2; exit 2; }
folder=$(cd "${1%%@*}" && pwd)
commit=
[[ $1 != *@* ]] || commit=${1##*@}
shift
packages=("${@:-./...}")
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
work=$(cd "$work" && pwd)
copy=$work/copy

# step runs a command, and notes how long it took.
step() {
	local name=$1 TIMEFORMAT="%R s, %U s of the processor's time"
	shift
	printf '%s: ' "$name" >>"$work/times.txt"
	{ time "$@" 2>&3; } 3>&2 2>>"$work/times.txt"
}
: >"$work/times.txt"

(cd "$root" && go build -o "$work/event-gen" ./cmd/event-gen)
rm -rf "$copy"
if [[ -n $commit || ! -e $folder/go.mod && ! -e $folder/${MODULE:-.}/go.mod ]]; then
	step 'git clone' git clone --quiet --shared --no-checkout "$folder" "$copy"
	git -C "$copy" checkout --quiet --detach "$(git -C "$folder" rev-parse "${commit:-HEAD}")"
else
	cp -r "$folder" "$copy"
	chmod -R u+w "$copy"
	[[ -e $copy/.git ]] || git -C "$copy" init --quiet
fi
cd "$copy/${MODULE:-.}"
export GOFLAGS="${GOFLAGS:-} -mod=mod -buildvcs=false" GOWORK=off
# The run time of this tree stands in for `go get`.
go mod edit -require=github.com/event-gen/event-gen/runtime@v0.1.0 -replace="github.com/event-gen/event-gen/runtime=$root/runtime"
git -C "$copy" rev-parse --quiet --verify HEAD >/dev/null || {
	git -C "$copy" add --all
	git -C "$copy" -c user.name=row -c user.email=row@example.com commit --quiet --message="as it is"
}

step 'event-gen scan -o' "$work/event-gen" scan -o catalog.yaml "${packages[@]}" >"$work/scan.txt" 2>&1 || { cat "$work/scan.txt" >&2; exit 1; }
read -ra more <<<"${ARGS:-}"
args=(migrate --format=markdown --write "${more[@]}")
[[ -z ${TEST:-} ]] || args+=(--test "$TEST")
step 'event-gen migrate' "$work/event-gen" migrate "${more[@]}" "${packages[@]}" >"$work/change.diff" 2>"$work/table.txt" || true # what follows says what is wrong
ended=0
step 'event-gen migrate --write' "$work/event-gen" "${args[@]}" "${packages[@]}" 2>"$work/log.txt" || ended=$?
[[ $ended = 0 ]] || cat "$work/log.txt" >&2
cat "$work/times.txt" >&2
echo "the verdicts are in $work/table.txt, the change in $copy" >&2
exit $ended
