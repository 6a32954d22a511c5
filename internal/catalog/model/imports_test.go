package model

import "testing"

// A package may import what is internal to a folder above it, as the go command has it.
func TestImportable(t *testing.T) {
	for path, want := range map[string]bool{
		"example.com/m/api": true, "example.com/m/internal/api": true, "example.com/m/p/internal/api/v1": true,
		"example.com/m/q/internal/api": false, "example.com/x/internal/y": false, "example.com/m/internal/q/internal/z": false,
		"internal/x": false, "example.com/m/vendor/x": false, "example.com/m/p/q/internal": false,
	} {
		if got := importable(path, "example.com/m/p"); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}
