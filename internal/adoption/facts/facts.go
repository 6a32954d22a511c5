// Package facts lists the functions and types with which Go programs make recorders: functions and
// types of client-go, controller-runtime and this project. It judges nothing.
package facts

// The packages that make recorders.
const (
	ClientRecord      = "k8s.io/client-go/tools/record"
	ClientEvents      = "k8s.io/client-go/tools/events"
	InternalEvents    = "k8s.io/client-go/tools/internal/events"
	ControllerRuntime = "sigs.k8s.io/controller-runtime"
	RunTime           = "github.com/event-gen/event-gen/runtime"
	Sinks             = RunTime + "/sink/kube"
	DropIn            = RunTime + "/clientgo"
	Managers          = RunTime + "/ctrlevents"
)

// API is the family of recorders that a method belongs to, by its parameters. A recorder of either
// family can write to either API group; Constructors has the group.
type API string

// The families of recorders.
const (
	// Record is k8s.io/client-go/tools/record: Event, Eventf, AnnotatedEventf.
	Record API = "record"
	// Events is k8s.io/client-go/tools/events: Eventf with a related object, an action and a note.
	Events API = "events"
)

// The API groups of events.
const (
	CoreGroup   = ""
	EventsGroup = "events.k8s.io"
)

// Type is a type with which code records.
type Type struct {
	// API is the recorder's; empty: the type is a broadcaster, a sink or a maker of recorders.
	API API
	// Fake: a pointer to it records, and writes nowhere.
	Fake bool
}

// Types are the types with which code records, by full name. An adapter records only through the
// recorder that it makes.
var Types = map[string]Type{
	ClientRecord + ".EventRecorder": {API: Record}, ClientRecord + ".EventRecorderLogger": {API: Record},
	InternalEvents + ".EventRecorder": {API: Events}, InternalEvents + ".EventRecorderLogger": {API: Events},
	ClientEvents + ".EventRecorder": {API: Events}, ClientEvents + ".EventRecorderLogger": {API: Events},
	ControllerRuntime + "/pkg/recorder.EventRecorder": {API: Events},
	ClientRecord + ".FakeRecorder":                    {API: Record, Fake: true}, ClientEvents + ".FakeRecorder": {API: Events, Fake: true},

	ClientRecord + ".EventRecorderAdapter": {}, ClientRecord + ".EventBroadcaster": {}, ClientRecord + ".EventSink": {},
	InternalEvents + ".AnnotatedEventRecorder": {}, ClientEvents + ".AnnotatedEventRecorder": {},
	ClientEvents + ".EventBroadcaster": {}, ClientEvents + ".EventSink": {},
	RunTime + ".Recorder": {}, RunTime + ".Publisher": {}, RunTime + "/sink.Sink": {}, RunTime + "/broadcaster.Broadcaster": {},
	Sinks + ".Sink": {}, DropIn + ".RecordBroadcaster": {}, DropIn + ".EventsBroadcaster": {},
}

// Constructor makes a broadcaster, a sink or a recorder.
type Constructor struct {
	// Group is the API group that the recorder writes to. Fallback: if events.k8s.io is forbidden,
	// the recorder writes to the core group.
	Group    string
	Fallback bool
	// Broadcaster: it makes a broadcaster, which loses all events until it is started.
	Broadcaster bool
	// Adapter: it makes two broadcasters, and its methods decide the group.
	Adapter bool
}

var (
	core         = Constructor{Group: CoreGroup}
	events       = Constructor{Group: EventsGroup}
	either       = Constructor{Group: EventsGroup, Fallback: true}
	coreCaster   = Constructor{Group: CoreGroup, Broadcaster: true}
	eventsCaster = Constructor{Group: EventsGroup, Broadcaster: true}
	adapter      = Constructor{Broadcaster: true, Adapter: true}
)

// Constructors are functions and methods that make a broadcaster, a sink or a recorder, by full
// name. Other functions of the same packages return a broadcaster, sink or recorder, but make it
// from their arguments. The recorders of one adapter write to different groups
// (tools/events/event_broadcaster.go).
var Constructors = map[string]Constructor{
	ClientRecord + ".NewBroadcaster":                                      coreCaster,
	ClientRecord + ".NewBroadcasterForTests":                              coreCaster,
	ClientRecord + ".NewBroadcasterWithCorrelatorOptions":                 coreCaster,
	ClientEvents + ".NewBroadcaster":                                      eventsCaster,
	ClientEvents + ".NewEventBroadcasterAdapter":                          adapter,
	ClientEvents + ".NewEventBroadcasterAdapterWithContext":               adapter,
	ClientEvents + ".EventBroadcasterAdapter.NewRecorder":                 events,
	ClientEvents + ".EventBroadcasterAdapter.DeprecatedNewLegacyRecorder": core,

	DropIn + ".NewBroadcaster":                                      coreCaster,
	DropIn + ".NewEventsBroadcaster":                                eventsCaster,
	DropIn + ".NewEventBroadcasterAdapter":                          adapter,
	DropIn + ".EventBroadcasterAdapter.NewRecorder":                 either,
	DropIn + ".EventBroadcasterAdapter.DeprecatedNewLegacyRecorder": core,

	Sinks + ".CoreV1": core, Sinks + ".Options.CoreV1": core, Sinks + ".Sink.CoreV1": core,
	Sinks + ".EventsV1": events, Sinks + ".Options.EventsV1": events,
	Sinks + ".Auto": either, Sinks + ".Options.Auto": either, Sinks + ".Options.Clients": either,

	Managers + ".Manager.Events": either, Managers + ".Manager.Broadcaster": either,
	RunTime + ".For": events, // of a manager's GetEventRecorder
}

// Methods make recorders, with the family of the recorder: controller-runtime's Cluster
// (pkg/recorder/recorder.go), client-go's EventBroadcaster and EventBroadcasterAdapter
// (tools/events/interfaces.go), and the types that implement them. The recorder's name is their
// last string.
var Methods = map[string]API{"GetEventRecorderFor": Record, "GetEventRecorder": Events, "NewRecorder": Events}

// ManagerMakers make a manager of controller-runtime, by full name. The value is true for this
// project's makers: their GetEventRecorder falls back to the core group, even for callers that know
// only the interface. This project's makers can replace the others.
var ManagerMakers = map[string]bool{
	ControllerRuntime + ".NewManager": false, ControllerRuntime + "/pkg/manager.New": false,
	Managers + ".NewManager": true, Managers + ".Wrap": true,
}
