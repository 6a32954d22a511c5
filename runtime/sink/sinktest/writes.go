package sinktest

import (
	"math"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Limits of the server. The runtime's own constants are not used: they are part of what is tested.
const (
	noteLimit       = 1024
	textLimit       = 128
	nameLimit       = 253
	annotationLimit = 256 << 10
)

func writeScenarios() []scenario {
	return slices.Concat(noteScenarios(), textScenarios(), controllerScenarios(), nameScenarios(), annotationScenarios(), labelScenarios(),
		countScenarios(), referenceScenarios(), unaskableScenarios())
}

func noteScenarios() []scenario {
	note := func(s string) func(*sink.Write) { return func(w *sink.Write) { w.Note = []byte(s) } }
	return []scenario{
		create("plain event", sink.Done, unchanged),
		create("warning", sink.Done, func(w *sink.Write) { w.Type = eventrt.Warning }),
		create("note at its limit", sink.Done, note(strings.Repeat("n", noteLimit))),
		creates("note beyond its limit", sink.Done, sink.Refused, note(strings.Repeat("n", noteLimit+1))),
		create("multi-byte note at its limit", sink.Done, note(strings.Repeat("é", noteLimit/2))),
		creates("multi-byte note beyond its limit in bytes only", sink.Done, sink.Refused, note(strings.Repeat("é", noteLimit/2)+"n")),
		create("empty note", sink.Done, func(w *sink.Write) { w.Note = nil }),
		create("note of quotes, controls and separators", sink.Done, note("\"\\ \n\t\x00\x1f\x7f\u0085\u2028 <&> %s %!d 日本 🎉")),
		create("note of invalid UTF-8", sink.Done, note("cut in two: \xe6\x97 and \xff\xfe")),
		creates("note that grows beyond its limit when made valid", sink.Done, sink.Refused,
			note(strings.Repeat("n", noteLimit-1)+"\xff")),
	}
}

func textScenarios() []scenario {
	fields := []struct {
		name  string
		field func(*sink.Write) *string
	}{
		{"reason", func(w *sink.Write) *string { return &w.Reason }},
		{"action", func(w *sink.Write) *string { return &w.Action }},
		{"reportingInstance", func(w *sink.Write) *string { return &w.ReportingInstance }},
	}
	var all []scenario
	for _, f := range fields {
		set := func(s string) func(*sink.Write) { return func(w *sink.Write) { *f.field(w) = s } }
		all = append(all,
			creates(f.name+" empty", sink.Done, sink.Refused, set("")),
			create(f.name+" at its limit", sink.Done, set(strings.Repeat("r", textLimit))),
			creates(f.name+" beyond its limit", sink.Done, sink.Refused, set(strings.Repeat("r", textLimit+1))),
			create(f.name+" multi-byte at its limit", sink.Done, set(strings.Repeat("ß", textLimit/2))),
			creates(f.name+" multi-byte beyond its limit in bytes only", sink.Done, sink.Refused, set(strings.Repeat("ß", textLimit/2)+"r")),
		)
	}
	kind := func(s string) func(*sink.Write) { return func(w *sink.Write) { w.Type = s } }
	return append(all,
		create("reason with spaces", sink.Done, func(w *sink.Write) { w.Reason = "Not Camel case" }),
		creates("type unknown", sink.Done, sink.Refused, kind("Error")),
		creates("type in lower case", sink.Done, sink.Refused, kind("normal")),
		creates("type empty", sink.Done, sink.Refused, kind("")),
	)
}

func controllerScenarios() []scenario {
	controller := func(s string) func(*sink.Write) {
		return func(w *sink.Write) { w.ReportingController = s }
	}
	return []scenario{
		create("controller without prefix", sink.Done, controller("kubelet")),
		create("controller with dots, dashes and upper case", sink.Done, controller("example.com/My_Controller-1.2")),
		create("controller's name at its limit", sink.Done, controller("example.com/"+strings.Repeat("c", 63))),
		creates("controller's name beyond its limit", sink.Done, sink.Refused, controller("example.com/"+strings.Repeat("c", 64))),
		creates("controller empty", sink.Done, sink.Refused, controller("")),
		creates("controller with spaces", sink.Done, sink.Refused, controller("my controller")),
		creates("controller with an upper-case prefix", sink.Done, sink.Refused, controller("Example.com/controller")),
		creates("controller with two slashes", sink.Done, sink.Refused, controller("example.com/team/controller")),
		creates("controller with an empty prefix", sink.Done, sink.Refused, controller("/controller")),
		creates("controller that ends in a dash", sink.Done, sink.Refused, controller("controller-")),
	}
}

func nameScenarios() []scenario {
	name := func(change func(string) string) func(*sink.Write) {
		return func(w *sink.Write) { w.Name = change(w.Name) }
	}
	pad := func(n int) func(string) string {
		return func(s string) string { return s + strings.Repeat("x", n-len(s)) }
	}
	return []scenario{
		create("name at its limit", sink.Done, name(pad(nameLimit))),
		creates("name beyond its limit", sink.Done, sink.Refused, name(pad(nameLimit+1))),
		creates("name in upper case", sink.Done, sink.Refused, name(strings.ToUpper)),
		creates("name with an underscore", sink.Done, sink.Refused, name(func(s string) string { return s + "_1" })),
		creates("name with a space", sink.Done, sink.Refused, name(func(s string) string { return s + " 1" })),
		creates("name with a colon", sink.Done, sink.Refused, name(func(s string) string { return "a:" + s })),
		creates("name that ends in a dot", sink.Done, sink.Refused, name(func(s string) string { return s + "." })),
	}
}

func annotationScenarios() []scenario {
	annotated := func(key, value string) func(*sink.Write) {
		return func(w *sink.Write) { w.Annotations = []eventrt.Annotation{{Key: key, Value: value}} }
	}
	const key = "example.com/key"
	return []scenario{
		create("annotations", sink.Done, func(w *sink.Write) {
			w.Annotations = []eventrt.Annotation{{Key: "a", Value: ""}, {Key: key, Value: "x \"y\"\n日本\u2028"}}
		}),
		create("annotation of invalid UTF-8", sink.Done, annotated(key, "a\xffb")),
		create("annotation with an upper-case prefix", sink.Done, annotated("Example.com/Key", "v")),
		create("annotation key with a space", sink.Refused, annotated("bad key", "v")),
		create("annotation key empty", sink.Refused, annotated("", "v")),
		create("annotation key's name beyond its limit", sink.Refused, annotated("example.com/"+strings.Repeat("k", 64), "v")),
		create("annotations at their limit", sink.Done, annotated(key, strings.Repeat("v", annotationLimit-len(key)))),
		create("annotations beyond their limit", sink.Refused, annotated(key, strings.Repeat("v", annotationLimit-len(key)+1))),
	}
}

func labelScenarios() []scenario {
	labelled := func(key, value string) func(*sink.Write) {
		return func(w *sink.Write) { w.Labels = []eventrt.Annotation{{Key: key, Value: value}} }
	}
	const key = "example.com/key"
	return []scenario{
		create("labels", sink.Done, func(w *sink.Write) {
			w.Labels = []eventrt.Annotation{{Key: "a", Value: ""}, {Key: key, Value: "A_b-c.9"}}
		}),
		create("label at its limits", sink.Done, labelled(strings.Repeat("d", 253)+"/"+strings.Repeat("k", 63), strings.Repeat("v", 63))),
		create("label beyond its limit", sink.Refused, labelled(key, strings.Repeat("v", 64))),
		create("label with a space", sink.Refused, labelled(key, "a b")),
		create("label key empty", sink.Refused, labelled("", "v")),
		create("label with an upper-case prefix", sink.Refused, labelled("Example.com/Key", "v")),
	}
}

func countScenarios() []scenario {
	count := func(n int32) func(*sink.Write) {
		return func(w *sink.Write) { w.Count, w.Last = n, moment.Add(90*time.Second) }
	}
	return []scenario{
		create("create of merged occurrences", sink.Done, count(7)),
		create("create of two", sink.Done, count(2)),
		create("create of MaxInt32", sink.Done, count(math.MaxInt32)),
		create("create of none", sink.Done, count(0)),
		create("create of less than none", sink.Done, count(-1)),
		creates("no first time", sink.Done, sink.Refused, func(w *sink.Write) { w.First = time.Time{} }),
		create("no last time, of one", sink.Done, func(w *sink.Write) { w.Last = time.Time{} }),
		creates("no last time, of two", sink.Done, sink.Refused, func(w *sink.Write) { w.Count, w.Last = 2, time.Time{} }),
		create("a time before 1970 in another zone", sink.Done, func(w *sink.Write) {
			w.First = time.Date(1969, 7, 20, 20, 17, 40, 123456789, time.FixedZone("", -5*3600))
		}),
	}
}

func referenceScenarios() []scenario {
	node := corev1.ObjectReference{APIVersion: "v1", Kind: "Node", Name: "node-1", UID: "7", FieldPath: "spec"}
	return []scenario{
		create("related object", sink.Done, func(w *sink.Write) { w.Related, w.HasRelated = node, true }),
		create("related object that is not to be shown", sink.Done, func(w *sink.Write) { w.Related = node }),
		create("regarding without kind, name and UID", sink.Done, func(w *sink.Write) {
			w.Regarding = corev1.ObjectReference{Namespace: w.Namespace}
		}),
	}
}

// unaskableScenarios can't be put into a request at all.
func unaskableScenarios() []scenario {
	return []scenario{
		create("no operation", sink.Refused, func(w *sink.Write) { w.Operation = 0 }),
		create("name empty", sink.Refused, func(w *sink.Write) { w.Name = "" }),
		create("name with a slash", sink.Refused, func(w *sink.Write) { w.Name += "/status" }),
		create("name with a percent sign", sink.Refused, func(w *sink.Write) { w.Name += "%2f" }),
		create("name of two dots", sink.Refused, func(w *sink.Write) { w.Name = ".." }),
		create("namespace empty", sink.Refused, func(w *sink.Write) { w.Namespace = "" }),
		create("namespace with a slash", sink.Refused, func(w *sink.Write) { w.Namespace = "default/pods" }),
		create("update without a name", sink.Refused, func(w *sink.Write) { w.Operation, w.Name = sink.Update, "" }),
		create("update without a namespace", sink.Refused, func(w *sink.Write) { w.Operation, w.Namespace = sink.Update, "" }),
	}
}
