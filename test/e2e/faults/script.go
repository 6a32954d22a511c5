package faults

import (
	"maps"
	"math/rand/v2"
	"sync"
	"time"
)

// Step is a stretch of a script. It begins with the first request that finds the step before it
// over.
type Step struct {
	Fault Fault
	// Requests ends the step after that many, For after that much time; the first of the two, where
	// both are given. A step with neither lasts.
	Requests int
	For      time.Duration
	// Share is the part of the requests that the fault is played to, the rest passes; 0 means all.
	Share float64
}

// script hands out faults. What it leaves to chance depends on the seed and the order of the
// requests only.
type script struct {
	mu     sync.Mutex
	random *rand.Rand
	steps  []Step
	began  time.Time // of the step at hand; zero before its first request
	played int       // requests that it has had
	counts map[string]int
}

func newScript(seed uint64) *script {
	return &script{random: newRandom(seed), counts: map[string]int{}}
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func (s *script) play(steps []Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps, s.began, s.played = steps, time.Time{}, 0
}

// next is the fault of a request, and a number for what in it is left to chance.
func (s *script) next(now time.Time) (Fault, float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	share, random := s.random.Float64(), s.random.Float64()
	fault := s.pick(share, now)
	s.counts[fault.String()]++
	return fault, random
}

func (s *script) pick(share float64, now time.Time) Fault {
	s.advance(now)
	if len(s.steps) == 0 {
		return Fault{}
	}
	if s.began.IsZero() {
		s.began = now
	}
	s.played++
	step := &s.steps[0]
	if step.Share > 0 && share >= step.Share {
		return Fault{}
	}
	return step.Fault
}

// advance leaves the steps that are over behind.
func (s *script) advance(now time.Time) {
	for len(s.steps) > 0 && s.stepOver(now) {
		s.steps, s.began, s.played = s.steps[1:], time.Time{}, 0
	}
}

func (s *script) stepOver(now time.Time) bool {
	step := &s.steps[0]
	return step.Requests > 0 && s.played >= step.Requests ||
		step.For > 0 && !s.began.IsZero() && now.Sub(s.began) >= step.For
}

func (s *script) over(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.advance(now)
	return len(s.steps) == 0
}

func (s *script) counted() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.counts)
}
