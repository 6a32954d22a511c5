#!/bin/sh
# Pins another Kubernetes version: writes go.mod and go.sum of this folder anew.
# k8s.io/kubernetes replaces its staging modules by folders that its module archive does not hold,
# so each of them is replaced by the module of the same release here.
#
# usage: ./update.sh v1.36.3
set -eu
cd "$(dirname "$0")"

version=${1:?usage: ./update.sh v1.MINOR.PATCH}
staging=v0.${version#v1.}
upstream=$(GOWORK=off go mod download -json "k8s.io/kubernetes@$version" |
	sed -n 's/^[[:space:]]*"GoMod": "\(.*\)",\{0,1\}$/\1/p')

{
	echo 'module github.com/event-gen/event-gen/test/servers/kubernetes'
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
} >go.mod.new
mv go.mod.new go.mod
GOWORK=off go mod tidy
