// Package e2e runs the built operator on a real API server.
package e2e
