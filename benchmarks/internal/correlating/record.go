package correlating

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/benchmarks/internal/systems"
)

// recordContender is client-go's EventCorrelator.
type recordContender struct {
	turn
	c       *record.EventCorrelator
	events  []corev1.Event // one for each object
	patches int
}

// NewRecord makes a correlator of client-go that holds so many objects, for so many occurrences. Its budgets are off, its
// cache has a number of entries; 0: the default.
func NewRecord(k Kind, objects, occurrences, cache int) Contender {
	var opts record.CorrelatorOptions
	systems.Unlimit(&opts)
	opts.LRUCacheSize = cache
	if k.folds {
		opts.MaxEvents = 2 // the second text folds
	}
	c := &recordContender{turn: newTurn(k, objects, occurrences), c: record.NewEventCorrelatorWithOptions(opts)}
	for i := range objects {
		c.events = append(c.events, eventAbout(i))
	}
	for text := range k.filled() {
		for _, object := range shuffled(objects) {
			c.occur(object, c.texts[text])
		}
	}
	c.patches = 0
	return c
}

func eventAbout(object int) corev1.Event {
	about, now := systems.CronJob(object), metav1.Now()
	return corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: about.Namespace, Name: about.Name + ".18a2b3c4d5e6f708"},
		InvolvedObject: corev1.ObjectReference{
			APIVersion: "batch/v1", Kind: "CronJob",
			Namespace: about.Namespace, Name: about.Name, UID: about.UID, ResourceVersion: about.ResourceVersion,
		},
		Type:                corev1.EventTypeNormal,
		Reason:              "SawCompletedJob",
		FirstTimestamp:      now,
		LastTimestamp:       now,
		Count:               1,
		Source:              corev1.EventSource{Component: systems.Component},
		ReportingController: systems.Component,
	}
}

func (c *recordContender) Occur() { c.occur(c.next()) }

func (c *recordContender) Patches() int { return c.patches }

// occur does what the broadcaster does with an event, but for sending it.
func (c *recordContender) occur(object int, text string) {
	e := c.events[object]
	e.Message = text
	result, err := c.c.EventCorrelate(&e)
	if err != nil || result.Skip {
		panic("an occurrence would not be written")
	}
	if result.Event.Count > 1 {
		c.patches++
	}
	c.c.UpdateState(result.Event)
}
