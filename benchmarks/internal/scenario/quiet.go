package scenario

import "time"

// quiet is how long a server that answers at once must not have been called for a recorder to be at rest.
const quiet = 20 * time.Millisecond

func never() bool { return false }
