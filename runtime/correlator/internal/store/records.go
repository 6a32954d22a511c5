package store

import (
	"math"
	"time"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// The records are laid out so that an idle identity, with an object and a group of its own, costs less than 256 bytes.
// Records of their own hold what matters only while something is pending: Work for identities, Turns for objects.
//
// Exported fields belong to the correlator. The store fills them in when it makes a record, and does not look at them after that.

// Identity is all occurrences that count as one event.
type Identity struct {
	Definition *runtime.Definition
	Detail
	Serial  uint64        // makes the event's name unique: close to the wall clock when the identity was made, in Unix nanoseconds
	Version uint64        // the stored event's resource version
	Last    int64         // the last occurrence: wall, Unix nanoseconds
	Wrote   time.Duration // monotonic: when the last write began, if there was one
	Count   uint32        // occurrences that the event stands for, pending ones included; saturates
	hash    uint32
	self    ref
	object  ref
	links         // of its worth
	work    ref   // 0 while idle
	ticket  uint8 // counts reuse of the record
	Step    uint8 // writes since it was last quiet for its window
	Mark    uint8 // the sink's
	flags   flags
}

// Object is a regarding object with at least one identity.
type Object struct {
	short    [shortText]byte // name, then UID
	long     *[]byte         // replaces short for longer texts
	scope    ref
	hash     uint32
	self     ref
	groups   ref // the root of a tree
	turns    ref // 0 while nothing of the object has work
	nameLen  uint16
	shortLen uint8
	flags    objectFlags
}

// Group counts what one {object, reason, type, controller} has created, for aggregation and budget.
type Group struct {
	Definition *runtime.Definition // any of the group's: all agree in reason, type and controller
	Budget     time.Duration       // monotonic: when the budget will be full again
	children   [2]ref              // of the object's groups
	identities uint32
	aggregate  ref    // the identity that stands for folded occurrences
	WindowEnds uint32 // when counting distinct identities begins anew, in a unit of the caller's
	Distinct   uint16 // identities made in the window
}

// Work is the state of an identity while it has something pending or a write in flight. Every recorded occurrence is written
// (acknowledged), pending or lost. A write in flight carries a part of the pending ones.
type Work struct {
	Pending  uint64
	Carried  uint64        // of Pending, by the write in flight
	Maybe    uint64        // of Pending, the most that an unanswered write may have stored
	First    int64         // wall, Unix nanoseconds: of the first that is pending
	Since    time.Duration // monotonic: when it became pending
	Due      time.Duration // monotonic: when the next write is wanted
	ObjectRV uint64        // the regarding object's resource version, for the reference
	Failing  time.Duration // monotonic: when the write at hand failed first, once Failed
	identity ref
	links           // of its queue
	line     links  // of the slot where it is due; until then, prev is its place in the heap of what is due later, plus one
	awaited  uint32 // when Await was called last
	queue    queueName
	slot     uint8 // where it is due, or will be
	due      bool
	InFlight bool  // a write is out
	Attempts uint8 // tries of the write at hand that were not acknowledged
	Tries    uint8 // calls since recording has ended
	Failed   bool  // the write at hand has failed
	Stuck    bool  // it has failed so often that others of the object do not wait for it
	Paid     bool  // the write at hand has a token of its limit
}

// Turns is the state of an object while any of its identities has work. Writes about one object go one at a time, and its first
// creates in the order of recording.
type Turns struct {
	*Namespace        // where events about the object live
	creates    chain  // of Work: identities that wait for their first create
	aside      chain  // of Work: identities that fell due while a write of the object was in flight
	Warnings   uint32 // Warning identities that wait for their first create
	works      uint32 // identities of the object that have work
	Busy       bool   // a write is in flight
	FirstAside bool   // the first of the creates fell due meanwhile
}

// Sizes in memory of the records and of their places in tables, in bytes, about.
const (
	identityBytes  = int64(unsafe.Sizeof(Identity{})) + placeBytes*3/2
	workBytes      = int64(unsafe.Sizeof(Work{})) + int64(unsafe.Sizeof(entry{}))
	groupBytes     = int64(unsafe.Sizeof(Group{}))
	objectBytes    = int64(unsafe.Sizeof(Object{})) + placeBytes*3/2
	turnsBytes     = int64(unsafe.Sizeof(Turns{}))
	scopeBytes     = int64(unsafe.Sizeof(Scope{})+unsafe.Sizeof(scopeKey{})) + 32
	namespaceBytes = int64(unsafe.Sizeof(Namespace{})) + 64
	longBytes      = int64(unsafe.Sizeof([]byte(nil)))
)

// Presence is the correlator's knowledge of an event on the server.
type Presence uint8

const (
	Absent      Presence = iota
	Doubtful             // one of our creates may have been stored, though no answer reported it
	Unversioned          // it is there; the next update goes without precondition
	Present              // it is there, at Version
)

// flags hold the presence and the worth.
type flags uint8

const (
	presenceMask flags = 3
	worthShift         = 2
	worthMask    flags = 7 << worthShift
)

// Presence returns what the correlator knows of the event on the server.
func (i *Identity) Presence() Presence { return Presence(i.flags & presenceMask) }

// SetPresence notes what the correlator knows of the event on the server.
func (i *Identity) SetPresence(p Presence) { i.flags = i.flags&^presenceMask | flags(p) }

// Created reports whether the server holds the event.
func (i *Identity) Created() bool { return i.Presence() >= Unversioned }

// Hash returns the hash by which the object is looked up.
func (o *Object) Hash() uint32 { return o.hash }

// Warning reports whether the event is a Warning.
func (i *Identity) Warning() bool { return i.Definition.Type == runtime.Warning }

// Add counts occurrences that the event stands for.
func (i *Identity) Add(n uint32) { i.Count += min(n, math.MaxUint32-i.Count) }

// waiterBytes estimates the memory of the correlator's waiter, for an identity that may have to wait for a token of a limit. It counts as
// soon as the identity has work, so that waiting exceeds no bound.
func (i *Identity) waiterBytes() int64 {
	if i.Definition.Correlation.Limit == nil {
		return 0
	}
	return 160
}

// text returns the memory of an identity beyond its record.
func (i *Identity) text() int64 { return i.Detail.bytes() }
