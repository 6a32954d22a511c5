// Package templates embeds the templates of generated text other than Go code.
package templates

import "embed"

// Docs holds the templates of event-gen docs.
//
//go:embed docs
var Docs embed.FS

// RBAC holds the templates of event-gen generate --rbac.
//
//go:embed rbac
var RBAC embed.FS

// Init holds the templates of event-gen init.
//
//go:embed init
var Init embed.FS
