package eventrt

const MaxForwardedDefinitions = maxForwardedDefinitions

// ForwardedDefinitions is how many forwarded definitions are kept for reuse.
func ForwardedDefinitions() int {
	forwarded.RLock()
	defer forwarded.RUnlock()
	return len(forwarded.defs)
}

// ForgetForwardedSpecs lets a test begin with none.
func ForgetForwardedDefinitions() {
	forwarded.Lock()
	defer forwarded.Unlock()
	clear(forwarded.defs)
}
