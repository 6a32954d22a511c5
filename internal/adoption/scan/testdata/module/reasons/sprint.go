package reasons

import "fmt"

func sprint(n int) string { return fmt.Sprintf("has %d containers", n) }
