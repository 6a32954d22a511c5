package eventrt_test

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

var podKind = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}

func pod() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "web-0", UID: "uid-of-web-0", ResourceVersion: "7"}}
}

// plainDefinition has a constant message and no params.
func plainDefinition() *eventrt.Definition {
	return &eventrt.Definition{
		Name: "Started", Reason: "Started", Action: "Start", Type: eventrt.Normal,
		Subject: eventrt.Subject{Regarding: podKind},
		Message: []eventrt.Segment{{Text: "started"}},
	}
}

// messageSpec has a message that is nothing but its params, with a space between them.
func messageDefinition(params ...eventrt.Param) *eventrt.Definition {
	def := plainDefinition()
	def.Params, def.Message = params, nil
	for i := range params {
		text := " "
		if i == 0 {
			text = ""
		}
		def.Message = append(def.Message, eventrt.Segment{Text: text, Value: eventrt.ParamValue, Param: i})
	}
	return def
}

// publishedEvents is a Publisher that keeps what it is given.
type publishedEvents struct {
	mu     sync.Mutex
	events []eventrt.Event
}

func (p *publishedEvents) Publish(e eventrt.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, e)
}

func (p *publishedEvents) last() *eventrt.Event { return &p.events[len(p.events)-1] }

// nowhere is a Publisher that does nothing.
type nowhere struct{}

func (nowhere) Publish(eventrt.Event) {}
