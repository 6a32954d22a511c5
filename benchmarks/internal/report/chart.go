package report

// Panel is a part of the chart: a bar for each contender, drawn to one scale.
type Panel struct {
	Title string
	// Unit stands behind the values.
	Unit   string
	Better Better
	Names  []string
	Values []float64
}
