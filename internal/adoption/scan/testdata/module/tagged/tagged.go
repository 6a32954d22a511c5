// Package tagged has sites behind build tags.
package tagged
