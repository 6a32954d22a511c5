package life

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// NewCast returns the objects as they are before they are created on an API server.
func NewCast(namespace string) Cast {
	cronJob := &batchv1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Name: "nightly", Namespace: namespace},
		Spec: batchv1.CronJobSpec{
			Schedule:    "0 3 * * *",
			JobTemplate: batchv1.JobTemplateSpec{Spec: jobSpec()},
		},
	}
	return Cast{
		CronJob:   cronJob,
		Completes: job(namespace, "nightly-1"),
		Fails:     job(namespace, "nightly-2"),
		RunsOn:    job(namespace, "nightly-3"),
	}
}

// Objects returns all objects of the cast.
func (c Cast) Objects() []metav1.Object {
	return []metav1.Object{c.CronJob, c.Completes, c.Fails, c.RunsOn}
}

// WithUIDs sets the UIDs of the objects, if there is no API server to do so.
func (c Cast) WithUIDs() Cast {
	for _, o := range c.Objects() {
		o.SetUID(types.UID("00000000-0000-4000-8000-" + padded(o.GetName(), 12)))
	}
	return c
}

// padded returns s, cut or padded to n bytes.
func padded(s string, n int) string {
	for len(s) < n {
		s += "0"
	}
	return s[:n]
}

func job(namespace, name string) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec:       jobSpec(),
	}
}

func jobSpec() batchv1.JobSpec {
	return batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		Containers:    []corev1.Container{{Name: "backup", Image: "example.com/backup:1"}},
	}}}
}
