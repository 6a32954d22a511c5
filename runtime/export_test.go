package runtime

const MaxForwardedSpecs = maxForwardedSpecs

// ForwardedSpecs is how many forwarded specs are kept for reuse.
func ForwardedSpecs() int {
	forwarded.RLock()
	defer forwarded.RUnlock()
	return len(forwarded.specs)
}

// ForgetForwardedSpecs lets a test begin with none.
func ForgetForwardedSpecs() {
	forwarded.Lock()
	defer forwarded.Unlock()
	clear(forwarded.specs)
}
