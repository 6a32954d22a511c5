package model

import (
	"strconv"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// Scalars are text with a position; these read them as what a key means. An absent one is the zero value.

func readBool(fs *diag.Findings, s catalog.Scalar, key string) bool {
	switch {
	case !s.Set(), s.Value == "false":
		return false
	case s.Value == "true":
		return true
	}
	fs.Errorf(s.Pos, "EV001", "%s is true or false, not %q", key, s.Value)
	return false
}

// readInt reads a whole number from least to most; def is the value of an absent one.
func readInt(fs *diag.Findings, s catalog.Scalar, rule, key string, least, most, def int) int {
	if !s.Set() {
		return def
	}
	n, err := strconv.Atoi(s.Value)
	if err != nil || n < least || n > most {
		fs.Errorf(s.Pos, rule, "%s is a whole number from %d to %d, not %q", key, least, most, s.Value)
		return def
	}
	return n
}

// readDuration reads a Go duration above zero.
func readDuration(fs *diag.Findings, s catalog.Scalar, rule, key string) time.Duration {
	if !s.Set() {
		return 0
	}
	d, err := time.ParseDuration(s.Value)
	if err != nil || d <= 0 {
		fs.Errorf(s.Pos, rule, "%s is a duration above zero such as 30s or 10m, not %q", key, s.Value)
		return 0
	}
	return d
}
