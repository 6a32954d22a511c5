// Package titles calls the functions of package title.
package titles

import (
	corev1 "k8s.io/api/core/v1"

	"example.com/m/title"
)

func record(pod *corev1.Pod, found bool) {
	title.Infof(pod, "created", "Created %s", pod.Name) //: through-wrapper Normal Created conversion "Created %s"
	title.Warn(pod, "notReady", "x")                    //: through-wrapper Warning NotReady conversion "x"
	title.Titled(pod, " lost ")                         //: through-wrapper Warning Lost conversion "titled"
	title.Local(pod, "notReady")                        //: through-wrapper Warning Notready conversion "local"
	title.Parts(pod, "pod", "Gone")                     //: through-wrapper Warning PODGone concat "parts"
	title.Trimmed(pod, "ReasonLost")                    //: through-wrapper Warning Lost conversion "reasonlost"
	title.Formatted(pod, "scale")                       //: through-wrapper Warning ScaleFailed concat "formatted"
	reason := "late"
	if found {
		reason = "found"
	}
	title.Warn(pod, reason, "y") //: through-wrapper Warning {Late|Found} local "y"
}
