package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	// pending is how many events are recorded while no server takes them.
	pending = 1000
	// settle is for how long they may do what they do in the background.
	settle = 2 * time.Second
)

// costs of the process, as they are printed.
type costs struct {
	Before moment // the first event
	With   moment // the events pending
}

type moment struct {
	Resident   int64 // bytes
	Goroutines int
}

// measure records events about as many Pods while no server answers, prints what the process costs,
// and ends it.
func measure() error {
	m, err := newManager(&rest.Config{Host: "https://127.0.0.1:1"}, manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	err = m.Add(manager.RunnableFunc(func(context.Context) error {
		var c costs
		if c.Before, err = now(); err != nil {
			return err
		}
		r := m.GetEventRecorder("example.com/program")
		for n := range pending {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("pod-", n), UID: types.UID(fmt.Sprint("uid-", n))}}
			r.Eventf(pod, nil, corev1.EventTypeNormal, "Waiting", "Wait", "event %d", n)
		}
		time.Sleep(settle)
		if c.With, err = now(); err != nil {
			return err
		}
		if err := json.NewEncoder(os.Stdout).Encode(c); err != nil {
			return err
		}
		os.Exit(0) // without waiting for a server that is not there
		return nil
	}))
	if err != nil {
		return err
	}
	return m.Start(context.Background())
}

// now reads what the kernel counts as resident.
func now() (m moment, err error) {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return m, err
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return m, fmt.Errorf("/proc/self/statm: %w", err)
	}
	return moment{Resident: resident * int64(os.Getpagesize()), Goroutines: runtime.NumGoroutine()}, nil
}
