// Package eventrt holds the values and narrow interfaces that generated event recorders,
// correlator, broadcaster and sinks share. Generated code imports it as eventrt.
//
// An event flows one way:
//
//	typed method → Recorder → Publisher (broadcaster) → correlator → Sink → API server
//
// A generated constructor reduces its arguments to an Event, a value that points at its Definition
// and keeps no pointer to the caller's data. A Recorder adds annotations, controller and time, and
// publishes the event. Text is joined only when the event is about to be written.
//
// Each stage has a verb of its own:
//
//   - Emit: a Recorder takes an event. EmitOf and EmitNew make the event first, for generated
//     methods. Forward makes it from given texts.
//   - Publish: a Publisher takes the event of a Recorder.
//   - Observe: a correlator counts the event as an occurrence.
//   - Write: a Sink stores the merged occurrences.
//
// Package broadcaster makes a Publisher; packages sink and sink/kube make Sinks. The glossary is in
// package correlator.
package eventrt
