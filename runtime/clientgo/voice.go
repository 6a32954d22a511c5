package clientgo

import (
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime/internal/guard"
)

// voice logs lines so that its callers come back, whatever the logger does. A broadcaster has one speaker, so that a
// logger which blocks costs it a second once.
type voice struct {
	logger  klog.Logger
	speaker *guard.Speaker
}

func newVoice(logger klog.Logger) voice {
	return voice{logger: guard.Logger(logger), speaker: &guard.Speaker{}}
}

// of is the same voice to another logger.
func (v voice) of(logger klog.Logger) voice {
	v.logger = guard.Logger(logger)
	return v
}

func (v voice) error(err error, text string, about ...any) {
	v.speaker.Say(func() { v.logger.Error(err, text, about...) })
}

func (v voice) info(text string, about ...any) {
	v.speaker.Say(func() { v.logger.Info(text, about...) })
}

// detail logs at a level of verbosity.
func (v voice) detail(level int, text string, about ...any) {
	v.speaker.Say(func() { v.logger.V(level).Info(text, about...) })
}
