package sinktest

import (
	"math"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Limits of the server. The runtime's own constants are not used: they are part of what is tested.
const (
	noteLimit       = 1024
	textLimit       = 128
	nameLimit       = 253
	annotationLimit = 256 << 10
)

func writeScenarios() []scenario {
	return slices.Concat(noteScenarios(), textScenarios(), controllerScenarios(), nameScenarios(), annotationScenarios(),
		countScenarios(), referenceScenarios(), unaskableScenarios())
}

func noteScenarios() []scenario {
	note := func(s string) func(*eventrt.Write) { return func(w *eventrt.Write) { w.Note = []byte(s) } }
	return []scenario{
		create("plain event", eventrt.Done, unchanged),
		create("warning", eventrt.Done, func(w *eventrt.Write) { w.Type = eventrt.Warning }),
		create("note at its limit", eventrt.Done, note(strings.Repeat("n", noteLimit))),
		creates("note beyond its limit", eventrt.Done, eventrt.Refused, note(strings.Repeat("n", noteLimit+1))),
		create("multi-byte note at its limit", eventrt.Done, note(strings.Repeat("é", noteLimit/2))),
		creates("multi-byte note beyond its limit in bytes only", eventrt.Done, eventrt.Refused, note(strings.Repeat("é", noteLimit/2)+"n")),
		create("empty note", eventrt.Done, func(w *eventrt.Write) { w.Note = nil }),
		create("note of quotes, controls and separators", eventrt.Done, note("\"\\ \n\t\x00\x1f\x7f\u0085\u2028 <&> %s %!d 日本 🎉")),
		create("note of invalid UTF-8", eventrt.Done, note("cut in two: \xe6\x97 and \xff\xfe")),
		creates("note that grows beyond its limit when made valid", eventrt.Done, eventrt.Refused,
			note(strings.Repeat("n", noteLimit-1)+"\xff")),
	}
}

func textScenarios() []scenario {
	fields := []struct {
		name  string
		field func(*eventrt.Write) *string
	}{
		{"reason", func(w *eventrt.Write) *string { return &w.Reason }},
		{"action", func(w *eventrt.Write) *string { return &w.Action }},
		{"reportingInstance", func(w *eventrt.Write) *string { return &w.ReportingInstance }},
	}
	var all []scenario
	for _, f := range fields {
		set := func(s string) func(*eventrt.Write) { return func(w *eventrt.Write) { *f.field(w) = s } }
		all = append(all,
			creates(f.name+" empty", eventrt.Done, eventrt.Refused, set("")),
			create(f.name+" at its limit", eventrt.Done, set(strings.Repeat("r", textLimit))),
			creates(f.name+" beyond its limit", eventrt.Done, eventrt.Refused, set(strings.Repeat("r", textLimit+1))),
			create(f.name+" multi-byte at its limit", eventrt.Done, set(strings.Repeat("ß", textLimit/2))),
			creates(f.name+" multi-byte beyond its limit in bytes only", eventrt.Done, eventrt.Refused, set(strings.Repeat("ß", textLimit/2)+"r")),
		)
	}
	kind := func(s string) func(*eventrt.Write) { return func(w *eventrt.Write) { w.Type = s } }
	return append(all,
		create("reason with spaces", eventrt.Done, func(w *eventrt.Write) { w.Reason = "Not Camel case" }),
		creates("type unknown", eventrt.Done, eventrt.Refused, kind("Error")),
		creates("type in lower case", eventrt.Done, eventrt.Refused, kind("normal")),
		creates("type empty", eventrt.Done, eventrt.Refused, kind("")),
	)
}

func controllerScenarios() []scenario {
	controller := func(s string) func(*eventrt.Write) {
		return func(w *eventrt.Write) { w.ReportingController = s }
	}
	return []scenario{
		create("controller without prefix", eventrt.Done, controller("kubelet")),
		create("controller with dots, dashes and upper case", eventrt.Done, controller("example.com/My_Controller-1.2")),
		create("controller's name at its limit", eventrt.Done, controller("example.com/"+strings.Repeat("c", 63))),
		creates("controller's name beyond its limit", eventrt.Done, eventrt.Refused, controller("example.com/"+strings.Repeat("c", 64))),
		creates("controller empty", eventrt.Done, eventrt.Refused, controller("")),
		creates("controller with spaces", eventrt.Done, eventrt.Refused, controller("my controller")),
		creates("controller with an upper-case prefix", eventrt.Done, eventrt.Refused, controller("Example.com/controller")),
		creates("controller with two slashes", eventrt.Done, eventrt.Refused, controller("example.com/team/controller")),
		creates("controller with an empty prefix", eventrt.Done, eventrt.Refused, controller("/controller")),
		creates("controller that ends in a dash", eventrt.Done, eventrt.Refused, controller("controller-")),
	}
}

func nameScenarios() []scenario {
	name := func(change func(string) string) func(*eventrt.Write) {
		return func(w *eventrt.Write) { w.Name = change(w.Name) }
	}
	pad := func(n int) func(string) string {
		return func(s string) string { return s + strings.Repeat("x", n-len(s)) }
	}
	return []scenario{
		create("name at its limit", eventrt.Done, name(pad(nameLimit))),
		creates("name beyond its limit", eventrt.Done, eventrt.Refused, name(pad(nameLimit+1))),
		creates("name in upper case", eventrt.Done, eventrt.Refused, name(strings.ToUpper)),
		creates("name with an underscore", eventrt.Done, eventrt.Refused, name(func(s string) string { return s + "_1" })),
		creates("name with a space", eventrt.Done, eventrt.Refused, name(func(s string) string { return s + " 1" })),
		creates("name with a colon", eventrt.Done, eventrt.Refused, name(func(s string) string { return "a:" + s })),
		creates("name that ends in a dot", eventrt.Done, eventrt.Refused, name(func(s string) string { return s + "." })),
	}
}

func annotationScenarios() []scenario {
	annotated := func(key, value string) func(*eventrt.Write) {
		return func(w *eventrt.Write) { w.Annotations = []eventrt.Annotation{{Key: key, Value: value}} }
	}
	const key = "example.com/key"
	return []scenario{
		create("annotations", eventrt.Done, func(w *eventrt.Write) {
			w.Annotations = []eventrt.Annotation{{Key: "a", Value: ""}, {Key: key, Value: "x \"y\"\n日本\u2028"}}
		}),
		create("annotation of invalid UTF-8", eventrt.Done, annotated(key, "a\xffb")),
		create("annotation with an upper-case prefix", eventrt.Done, annotated("Example.com/Key", "v")),
		create("annotation key with a space", eventrt.Refused, annotated("bad key", "v")),
		create("annotation key empty", eventrt.Refused, annotated("", "v")),
		create("annotation key's name beyond its limit", eventrt.Refused, annotated("example.com/"+strings.Repeat("k", 64), "v")),
		create("annotations at their limit", eventrt.Done, annotated(key, strings.Repeat("v", annotationLimit-len(key)))),
		create("annotations beyond their limit", eventrt.Refused, annotated(key, strings.Repeat("v", annotationLimit-len(key)+1))),
	}
}

func countScenarios() []scenario {
	count := func(n int32) func(*eventrt.Write) {
		return func(w *eventrt.Write) { w.Count, w.Last = n, moment.Add(90*time.Second) }
	}
	return []scenario{
		create("create of merged occurrences", eventrt.Done, count(7)),
		create("create of two", eventrt.Done, count(2)),
		create("create of MaxInt32", eventrt.Done, count(math.MaxInt32)),
		create("create of none", eventrt.Done, count(0)),
		create("create of less than none", eventrt.Done, count(-1)),
		creates("no first time", eventrt.Done, eventrt.Refused, func(w *eventrt.Write) { w.First = time.Time{} }),
		create("no last time, of one", eventrt.Done, func(w *eventrt.Write) { w.Last = time.Time{} }),
		creates("no last time, of two", eventrt.Done, eventrt.Refused, func(w *eventrt.Write) { w.Count, w.Last = 2, time.Time{} }),
		create("a time before 1970 in another zone", eventrt.Done, func(w *eventrt.Write) {
			w.First = time.Date(1969, 7, 20, 20, 17, 40, 123456789, time.FixedZone("", -5*3600))
		}),
	}
}

func referenceScenarios() []scenario {
	node := corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "7", FieldPath: "spec"}
	return []scenario{
		create("related object", eventrt.Done, func(w *eventrt.Write) { w.Related, w.HasRelated = node, true }),
		create("related object that is not to be shown", eventrt.Done, func(w *eventrt.Write) { w.Related = node }),
		create("regarding without kind, name and UID", eventrt.Done, func(w *eventrt.Write) {
			w.Regarding = corev1.ObjectReference{Namespace: w.Namespace}
		}),
	}
}

// unaskableScenarios can't be put into a request at all.
func unaskableScenarios() []scenario {
	return []scenario{
		create("no operation", eventrt.Refused, func(w *eventrt.Write) { w.Operation = 0 }),
		create("name empty", eventrt.Refused, func(w *eventrt.Write) { w.Name = "" }),
		create("name with a slash", eventrt.Refused, func(w *eventrt.Write) { w.Name += "/status" }),
		create("name with a percent sign", eventrt.Refused, func(w *eventrt.Write) { w.Name += "%2f" }),
		create("name of two dots", eventrt.Refused, func(w *eventrt.Write) { w.Name = ".." }),
		create("namespace empty", eventrt.Refused, func(w *eventrt.Write) { w.Namespace = "" }),
		create("namespace with a slash", eventrt.Refused, func(w *eventrt.Write) { w.Namespace = "default/pods" }),
		create("update without a name", eventrt.Refused, func(w *eventrt.Write) { w.Operation, w.Name = eventrt.Update, "" }),
		create("update without a namespace", eventrt.Refused, func(w *eventrt.Write) { w.Operation, w.Namespace = eventrt.Update, "" }),
	}
}
