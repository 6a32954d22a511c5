// Package helpers uses the generated package, which is not there: the module does not compile yet.
package helpers

import "github.com/event-gen/event-gen/internal/catalog/model/testdata/types/typesevents"

// Record uses what is generated.
func Record(object any) { typesevents.New(object) }
