package controllers

import "github.com/event-gen/event-gen/internal/catalog/model/testdata/types/helpers"

// Record uses what is generated, by way of another package.
func Record(t *Thing) { helpers.Record(t) }
