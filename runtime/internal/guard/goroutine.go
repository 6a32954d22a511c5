package guard

import "sync"

// Go calls f in a goroutine of a group. If a function of the host ends that goroutine (runtime.Goexit, as t.Fatal does), f is called again
// in another one.
func Go(group *sync.WaitGroup, f func()) {
	group.Go(func() {
		over := false
		defer func() {
			if !over {
				Go(group, f)
			}
		}()
		f()
		over = true
	})
}
