package emit

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

func TestArticle(t *testing.T) {
	for kind, want := range map[string]string{
		"Pod": "a", "Ingress": "an", "HTTPRoute": "an", "GRPCRoute": "a", "TLSRoute": "a", "UDPRoute": "a", "NFSVolume": "an",
		"User": "a", "Upgrade": "an", "Unit": "a", "UnmanagedNode": "an", "UninstallJob": "an", "Eureka": "a", "OneTime": "a", "Onion": "an",
		"XRoute": "an", "VM": "a", "MX": "an", "APIService": "an", "hTTP": "a", "IP": "an",
	} {
		if got := indefinite(kind); got != want {
			t.Errorf("%s %s, want %s", got, kind, want)
		}
	}
}

func TestAbout(t *testing.T) {
	object := func(kind string) *model.Object { return &model.Object{Kind: metav1.TypeMeta{Kind: kind}} }
	m := &model.Method{KindFunc: &model.KindFunc{Objects: []*model.Object{object("Ingress"), object("HTTPRoute"), object("Gateway")}}}
	if got, want := about(m), "an Ingress, an HTTPRoute or a Gateway"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	m.KindFunc.Objects = m.KindFunc.Objects[:2]
	if got, want := about(m), "an Ingress or an HTTPRoute"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
