// Package tests has sites in test files.
package tests
