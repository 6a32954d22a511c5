// Package fakes has a recorder that records nothing.
package fakes

import "k8s.io/apimachinery/pkg/runtime"

type Fake struct{ Reasons []string }

func (f *Fake) Event(_ runtime.Object, _, reason, _ string) { f.Reasons = append(f.Reasons, reason) }
func New() *Fake                                            { return &Fake{} }
