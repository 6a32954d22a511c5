// Package manager runs controller-runtime's managers, with runtime/ctrlevents and without, on a
// real API server.
package manager
