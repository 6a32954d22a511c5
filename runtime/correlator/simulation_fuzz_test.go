package correlator

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// FuzzSimulation plays a history that bytes decide, so that go test -fuzz can look for one that
// breaks a promise.
func FuzzSimulation(f *testing.F) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, seed))
		data := make([]byte, 1<<10)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h := newHistoryOf(rand.New(&byteSource{data: data}))
		h.logging = true
		if err := h.play(*simSteps); err != nil {
			t.Fatalf("%s: %v\nlast steps:\n%s", h.profile.name, err, h.tail())
		}
	})
}

// byteSource returns bytes as random numbers, each byte one decision. After the last byte it
// returns fixed numbers.
type byteSource struct {
	data []byte
	rest *rand.PCG
}

// Uint64 spreads a byte over the number, because a draw may depend on any of its bits.
func (s *byteSource) Uint64() uint64 {
	if len(s.data) == 0 {
		if s.rest == nil {
			s.rest = rand.NewPCG(1, 2)
		}
		return s.rest.Uint64()
	}
	b := s.data[0]
	s.data = s.data[1:]
	var spread [8]byte
	for i := range spread {
		spread[i] = b*0x1d + byte(i)*0x35
	}
	return binary.LittleEndian.Uint64(spread[:])
}
