// Package migrate rewrites raw calls of recorders into calls of generated methods.
//
// New decides, site by site, which entry of the catalogs a raw call records, by the proofs of
// package proof, and makes the edits of the source text. Verify type-checks the edited packages and
// their tests before anything is written. The package writes no files: a command writes Plan.Files.
//
// A call of a recorder's method becomes a call of a generated method on the same recorder. If a
// helper or a struct takes reason, type and text, a generated constructor makes the event before
// the call, and the helper or the struct gets the event's reason, type and message. The helper
// stays as it is.
//
// Edits replace pieces of the text, so comments and all other lines stay as they are.
package migrate
