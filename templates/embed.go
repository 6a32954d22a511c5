// Package templates holds every text that is not Go.
package templates

import "embed"

// Docs is what event-gen docs puts around the texts of catalogs.
//
//go:embed docs
var Docs embed.FS

// RBAC is what event-gen generate --rbac writes.
//
//go:embed rbac
var RBAC embed.FS

// Init is what event-gen init writes.
//
//go:embed init
var Init embed.FS
