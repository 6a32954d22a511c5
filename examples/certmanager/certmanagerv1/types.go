// Package certmanagerv1 stands in for github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1.
// Its kinds have only the fields that events need.
//
// +groupName=cert-manager.io
// +versionName=v1
package certmanagerv1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Certificate requests a certificate that is renewed before it expires.
type Certificate struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Conditions []metav1.Condition
}

// DeepCopyObject makes it a runtime.Object.
func (c *Certificate) DeepCopyObject() runtime.Object {
	out := *c
	c.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Conditions = append([]metav1.Condition(nil), c.Conditions...)
	return &out
}

// CertificateRequest is one request for a signature of an issuer.
type CertificateRequest struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Conditions []metav1.Condition
}

// DeepCopyObject makes it a runtime.Object.
func (c *CertificateRequest) DeepCopyObject() runtime.Object {
	out := *c
	c.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Conditions = append([]metav1.Condition(nil), c.Conditions...)
	return &out
}
