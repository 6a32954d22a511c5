package eventtest

// To has the fake report to t from now on.
func (f *Fake) To(t TB) *Fake {
	f.t = t
	return f
}
