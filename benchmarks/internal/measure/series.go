// Package measure takes measurements in rounds and reduces them to medians.
package measure

import (
	"math"
	"slices"
)

// Series holds the measurements of a scenario: for each figure and each contender, one value a round.
type Series struct{ values map[key][]float64 }

type key struct{ figure, contender string }

// Add adds the value of a round.
func (s *Series) Add(figure, contender string, value float64) {
	if s.values == nil {
		s.values = map[key][]float64{}
	}
	k := key{figure, contender}
	s.values[k] = append(s.values[k], value)
}

// Median is the median over the rounds; NaN if there were none.
func (s *Series) Median(figure, contender string) float64 {
	return Median(s.values[key{figure, contender}])
}

// Max is the largest value of a round; NaN if there were none.
func (s *Series) Max(figure, contender string) float64 {
	values := s.values[key{figure, contender}]
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Max(values)
}

// Min is the smallest value of a round; NaN if there were none.
func (s *Series) Min(figure, contender string) float64 {
	values := s.values[key{figure, contender}]
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Min(values)
}

// Ratio is the median of a divided by that of b, with the least and the greatest ratio within one round.
func (s *Series) Ratio(figure, a, b string) Ratio {
	return ratioOf(s.values[key{figure, a}], s.values[key{figure, b}])
}

// RatioOf is Ratio for two figures of one contender.
func (s *Series) RatioOf(a, b, contender string) Ratio {
	return ratioOf(s.values[key{a, contender}], s.values[key{b, contender}])
}

// Ratio is a ratio of medians and the range of the ratios of single rounds.
type Ratio struct{ Value, Least, Most float64 }

func ratioOf(a, b []float64) Ratio {
	r := Ratio{Value: Median(a) / Median(b), Least: math.NaN(), Most: math.NaN()}
	for i := range min(len(a), len(b)) {
		q := a[i] / b[i]
		if i == 0 {
			r.Least, r.Most = q, q
		}
		r.Least, r.Most = min(r.Least, q), max(r.Most, q)
	}
	return r
}

// Median is the median of values; NaN if there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	mid := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[mid]
	}
	return (sorted[mid-1] + sorted[mid]) / 2
}
