// Package catalog reads catalogs of events, and the configuration of a module, into trees in which every scalar knows its line
// and column. It judges form only: unknown keys, kinds of values, templates. Package model computes what an entry means.
package catalog
