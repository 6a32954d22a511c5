// Package title is a recorder for a whole program, which turns the reasons.
package title

import (
	"fmt"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

var (
	shared record.EventRecorder = new(record.FakeRecorder)
	titler                      = cases.Title(language.English, cases.NoLower)
)

func Infof(object runtime.Object, reason, message string, args ...any) {
	shared.Eventf(object, "Normal", strings.Title(reason), message, args...) //: in-wrapper Normal ?strings.Title(reason) dynamic "%s"
}

func Warn(object runtime.Object, reason, message string) {
	shared.Event(object, "Warning", cases.Title(language.AmericanEnglish, cases.NoLower).String(reason), message) //: in-wrapper Warning
}

func Titled(object runtime.Object, reason string) {
	shared.Event(object, "Warning", titler.String(strings.TrimSpace(reason)), "titled") //: in-wrapper Warning
}

func Local(object runtime.Object, reason string) {
	caser := cases.Title(language.Und)
	turned := caser.String(reason)
	shared.Event(object, "Warning", turned, "local") //: in-wrapper Warning
}

func Parts(object runtime.Object, kind, reason string) {
	shared.Event(object, "Warning", strings.ToUpper(kind)+reason, "parts") //: in-wrapper Warning ?strings.ToUpper(kind)?reason dynamic "parts"
}

func Trimmed(object runtime.Object, reason string) {
	shared.Event(object, "Warning", strings.TrimPrefix(reason, "Reason"), strings.ToLower(reason)) //: in-wrapper Warning
}

func Formatted(object runtime.Object, reason string) {
	shared.Event(object, "Warning", fmt.Sprintf("%sFailed", strings.Title(reason)), "formatted") //: in-wrapper Warning
}

func Turkish(object runtime.Object, reason string) {
	shared.Event(object, "Warning", cases.Title(language.Turkish).String(reason), "turkish") //: direct Warning ?cases.Title(language.Turkish).String(reason) dynamic "turkish"
}
