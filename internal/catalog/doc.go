// Package catalog reads catalogs of events, and the configuration of a module, into trees in which every scalar knows its line
// and column. It judges form only: unknown keys, kinds of values, templates. What an entry means is computed in package model.
package catalog
