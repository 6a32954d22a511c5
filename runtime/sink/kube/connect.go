package kube

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
)

// userAgentSuffix tells the recorder's requests from the controller's in the server's logs and
// metrics.
const userAgentSuffix = "/event-gen-recorder"

// connect makes the clients of a sink, which share one HTTP client. It sends nothing.
func (o Options) connect(cfg *rest.Config, forms ...form.Form) *Sink {
	if cfg == nil {
		return o.sink(errors.New("no rest.Config"))
	}
	own := ownConfig(cfg)
	client, err := rest.HTTPClientFor(own)
	if err != nil {
		return o.sink(err)
	}
	groups := make([]*group, len(forms))
	for i, f := range forms {
		if groups[i], err = connectGroup(own, client, f); err != nil {
			return o.sink(err)
		}
	}
	return o.sink(nil, groups...)
}

// ownConfig is a copy without the limits of the original: the sink has its own, and sets a timeout
// for each write. Protobuf is the media type unless the original names another.
func ownConfig(cfg *rest.Config) *rest.Config {
	own := rest.CopyConfig(cfg)
	own.UserAgent = cmp.Or(own.UserAgent, rest.DefaultKubernetesUserAgent()) + userAgentSuffix
	own.RateLimiter, own.QPS, own.Burst = nil, -1, 0
	own.Timeout = 0
	own.ContentType = cmp.Or(own.ContentType, k8sruntime.ContentTypeProtobuf)
	own.NegotiatedSerializer = codecs.WithoutConversion()
	watchOrigin(own)
	return own
}

func connectGroup(cfg *rest.Config, client *http.Client, f form.Form) (*group, error) {
	gv := f.GroupVersion()
	cfg = rest.CopyConfig(cfg)
	cfg.GroupVersion = &gv
	cfg.APIPath = "/apis"
	if f == form.CoreV1 {
		cfg.APIPath = "/api"
	}
	c, err := rest.RESTClientForConfigAndClient(cfg, client)
	g := &group{form: f, client: c}
	g.onlyJSON.Store(cfg.ContentType == k8sruntime.ContentTypeJSON)
	return g, err
}

// sink puts a sink together. With an error, or without a client, it is one that refuses everything.
func (o Options) sink(err error, groups ...*group) *Sink {
	for _, g := range groups {
		if isNil(g.client) {
			err = fmt.Errorf("no client for %v (the REST client of a fake clientset is nil)", g.form)
		}
	}
	if err != nil {
		err = fmt.Errorf("the sink for Kubernetes events is not usable: %w", err)
	}
	s := &Sink{groups: groups, timeout: cmp.Or(o.Timeout, defaultTimeout), err: err}
	if len(groups) > 1 {
		s.choice = apiserver.NewGroups(o.now, o.OnFallback)
	}
	if qps := cmp.Or(o.QPS, defaultQPS); qps > 0 {
		s.limiter = flowcontrol.NewTokenBucketRateLimiter(qps, o.burst())
	}
	return s
}

// isNil also sees the typed nil that the clients of a fake clientset return.
func isNil(c rest.Interface) bool {
	v := reflect.ValueOf(c)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}
