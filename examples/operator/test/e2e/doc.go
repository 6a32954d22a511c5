// Package e2e runs the operator as it is built on a real API server.
package e2e
