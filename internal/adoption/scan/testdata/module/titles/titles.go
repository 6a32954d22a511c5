// Package titles calls the functions of package title.
package titles

import (
	corev1 "k8s.io/api/core/v1"

	"example.com/m/title"
)

func record(pod *corev1.Pod, found bool) {
	title.Infof(pod, "created", "Created %s", pod.Name) //: derived Normal Created conversion "Created %s"
	title.Warn(pod, "notReady", "x")                    //: derived Warning NotReady conversion "x"
	title.Titled(pod, " lost ")                         //: derived Warning Lost conversion "titled"
	title.Local(pod, "notReady")                        //: derived Warning Notready conversion "local"
	title.Parts(pod, "pod", "Gone")                     //: derived Warning PODGone concat "parts"
	title.Trimmed(pod, "ReasonLost")                    //: derived Warning Lost conversion "reasonlost"
	title.Formatted(pod, "scale")                       //: derived Warning ScaleFailed concat "formatted"
	reason := "late"
	if found {
		reason = "found"
	}
	title.Warn(pod, reason, "y") //: derived Warning {Late|Found} local "y"
}
