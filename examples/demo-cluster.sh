#!/bin/sh
# Plays the demo on the cluster of KUBECONFIG in both API groups, and prints the events with kubectl.
# Called by make demo-cluster.
set -eu
controller=$1

kubectl version
for group in events core; do
	namespace=demo-$group
	case $group in
	events) title=events.k8s.io/v1 ;;
	core) title=v1 ;;
	esac
	printf '\n== The demo, written through %s\n\n' "$title"
	"$controller" --sink="$group" --namespace="$namespace"
	printf '\n$ kubectl get events --namespace %s\n' "$namespace"
	kubectl get events --namespace "$namespace" --sort-by=.metadata.creationTimestamp
	printf '\n$ kubectl describe cronjob nightly --namespace %s\n' "$namespace"
	kubectl describe cronjob nightly --namespace "$namespace"
done
