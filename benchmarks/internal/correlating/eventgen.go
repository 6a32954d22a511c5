package correlating

import (
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

var def = eventrt.Definition{
	Subject: eventrt.Subject{
		ReportingController: systems.Component,
		Regarding:           metav1.TypeMeta{APIVersion: "batch/v1", Kind: "CronJob"},
	},
	Reason:  "SawCompletedJob",
	Type:    eventrt.Normal,
	Params:  []eventrt.Param{{Name: "job", MaxBytes: 253}},
	Message: []eventrt.Segment{{Value: eventrt.ParamValue}},
}

// eventGenContender is this module's correlator.
type eventGenContender struct {
	turn
	c       *correlator.Correlator
	objects []eventrt.ObjectRef
	now     eventrt.Instant
	write   eventrt.Write
	patch   []byte
	patches int
}

// NewEventGen makes a correlator that holds so many objects, for so many occurrences. Its schedule has every occurrence
// written, since time goes on by more than its interval from one to the next.
func NewEventGen(k Kind, objects, occurrences int) Contender {
	c := &eventGenContender{
		turn: newTurn(k, objects, occurrences),
		c: correlator.New(correlator.Options{
			FirstInterval: 1, MaxInterval: 1,
			MaxIdentities: 1 << 24, MaxBytes: 1 << 33,
			NoAggregate: !k.folds, Threshold: 1, // the second text folds
			Host: "host",
		}),
		now: eventrt.Instant{Mono: time.Hour, Wall: time.Now()},
	}
	for i := range objects {
		c.objects = append(c.objects, objectOf(i))
	}
	for text := range k.filled() {
		for _, object := range shuffled(objects) {
			c.occur(object, c.texts[text])
		}
	}
	c.patches = 0
	return c
}

// objectOf makes the value that an event holds of an object, kind included.
func objectOf(n int) eventrt.ObjectRef {
	about := systems.CronJob(n)
	return eventrt.ReferenceOf(&corev1.ObjectReference{
		APIVersion: "batch/v1", Kind: "CronJob",
		Namespace: about.Namespace, Name: about.Name, UID: about.UID, ResourceVersion: about.ResourceVersion,
	})
}

func (c *eventGenContender) Occur() { c.occur(c.next()) }

func (c *eventGenContender) Patches() int { return c.patches }

// occur does what the broadcaster does with an event, but for sending it.
func (c *eventGenContender) occur(object int, text string) {
	c.now.Mono += time.Microsecond
	c.now.Wall = c.now.Wall.Add(time.Microsecond)
	e := eventrt.NewEvent(&def, c.objects[object], eventrt.ObjectRef{}, eventrt.String(text))
	e.SetTime(c.now.Wall)
	c.c.Observe(&e, correlator.ObjectHash(&e), c.now)
	if !c.c.Next(c.now, &c.write) {
		panic("an occurrence would not be written")
	}
	if c.write.Operation == eventrt.Update {
		c.patch = sink.CoreV1.AppendPatch(c.patch[:0], &c.write)
		c.patches++
	}
	c.c.Done(&c.write, eventrt.Answer{Outcome: eventrt.Done, ResourceVersion: 1}, c.now)
}
