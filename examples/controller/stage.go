package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/event-gen/event-gen/examples/life"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// stage holds the objects, the sink, and a function that lists the stored events.
type stage struct {
	cast life.Cast
	sink sink.Sink
	list func(context.Context) ([]eventsv1.Event, error)
}

func newStage(ctx context.Context, to, namespace, kubeconfig string) (*stage, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("sink %q needs a cluster, name one with --kubeconfig: %w", to, err)
	}
	s, err := clusterSink(to, config)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	cast, err := createCast(ctx, client, namespace)
	if err != nil {
		return nil, err
	}
	return &stage{cast: cast, sink: s, list: lister(client, namespace)}, nil
}

func clusterSink(to string, config *rest.Config) (sink.Sink, error) {
	switch to {
	case "events":
		return kube.EventsV1(config), nil
	case "core":
		return kube.CoreV1(config), nil
	case "auto":
		return kube.Auto(config), nil
	}
	return nil, fmt.Errorf("--sink: expected events, core or auto, found %q", to)
}

func lister(client kubernetes.Interface, namespace string) func(context.Context) ([]eventsv1.Event, error) {
	return func(ctx context.Context) ([]eventsv1.Event, error) {
		list, err := client.EventsV1().Events(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		return list.Items, nil
	}
}

// createCast creates the namespace and the objects on the server, so that kubectl can describe
// them.
func createCast(ctx context.Context, client kubernetes.Interface, namespace string) (life.Cast, error) {
	cast := life.NewCast(namespace)
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return cast, err
	}
	var err error
	if cast.CronJob, err = client.BatchV1().CronJobs(namespace).Create(ctx, cast.CronJob, metav1.CreateOptions{}); err != nil {
		return cast, err
	}
	jobs := client.BatchV1().Jobs(namespace)
	if cast.Completes, err = jobs.Create(ctx, cast.Completes, metav1.CreateOptions{}); err != nil {
		return cast, err
	}
	if cast.Fails, err = jobs.Create(ctx, cast.Fails, metav1.CreateOptions{}); err != nil {
		return cast, err
	}
	cast.RunsOn, err = jobs.Create(ctx, cast.RunsOn, metav1.CreateOptions{})
	return cast, err
}
