#!/bin/sh
# Pins a patch release of a Kubernetes version: writes go.mod and go.sum of that version's folder
# anew. k8s.io/kubernetes replaces its staging modules by folders that its module archive does not
# hold, so each of them is replaced by the module of the same release here.
#
# usage: ./update.sh v1.37.2
set -eu
cd "$(dirname "$0")"

version=${1:?usage: ./update.sh v1.MINOR.PATCH}
minor=${version#v}
minor=${minor%.*}
staging=v0.${version#v1.}
upstream=$(GOWORK=off go mod download -json "k8s.io/kubernetes@$version" |
	sed -n 's/^[[:space:]]*"GoMod": "\(.*\)",\{0,1\}$/\1/p')

mkdir -p "$minor"
{
	echo "module github.com/event-gen/event-gen/test/servers/kubernetes/$minor"
	echo
	grep '^go ' "$upstream"
	echo
	grep '^godebug ' "$upstream" || true
	echo
	echo 'tool ('
	echo '	k8s.io/kubernetes/cmd/kube-apiserver'
	echo '	k8s.io/kubernetes/cmd/kubectl'
	echo ')'
	echo
	echo "require k8s.io/kubernetes $version"
	echo
	echo 'replace ('
	sed -n "s#^[[:space:]]*\(k8s.io/[^ ]*\) => \./staging/.*#	\1 => \1 $staging#p" "$upstream"
	echo ')'
} >"$minor/go.mod.new"
mv "$minor/go.mod.new" "$minor/go.mod"
GOWORK=off go -C "$minor" mod tidy
