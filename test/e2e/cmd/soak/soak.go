package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/test/e2e/cluster"
	"github.com/event-gen/event-gen/test/e2e/faults"
)

const (
	namespaces = 40
	objects    = 2000
	// deletable are the first namespaces. Only there events are deleted, and nothing is refused
	// there, so that both can be accounted for.
	deletable = 4
	// settled is the time between the end of the troubles and Shutdown, in which what has failed is
	// tried again. Shutdown then writes what waits for its schedule, up to the longest interval.
	settled = 2 * time.Minute
)

// soak is one run.
type soak struct {
	ctx      context.Context
	seed     uint64
	length   time.Duration
	began    time.Time
	cluster  *cluster.Cluster
	clients  kubernetes.Interface // the administrator's, past the proxies
	plain    *plain
	operator *operator
	troubles *troubles
	findings findings
	checks   checks
	apart    sync.Mutex // held while requests are repeated, and while a webhook begins to refuse
	samples  []sample
	accounts string // of the end
}

// newSoak starts the server, the namespaces and both programs.
func newSoak(ctx context.Context, seed uint64, length time.Duration, operatorModule string) (*soak, error) {
	s := &soak{ctx: ctx, seed: seed, length: length}
	var err error
	if s.cluster, err = cluster.Start(ctx, cluster.Options{Users: []string{operatorUser}, EventTTL: (length + 2*time.Hour).Truncate(time.Second)}); err != nil {
		return nil, err
	}
	if err := s.prepare(operatorModule); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *soak) prepare(operatorModule string) error {
	config := s.cluster.RESTConfig()
	config.QPS = -1
	var err error
	if s.clients, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if err := s.makeNamespaces(); err != nil {
		return err
	}
	if s.operator, err = newOperator(s, operatorModule); err != nil {
		return err
	}
	proxy, err := faults.New(s.cluster.UserConfig(cluster.LimitedUser), s.seed)
	if err != nil {
		return err
	}
	s.plain = newPlain(proxy)
	s.troubles = newTroubles(s)
	return s.plain.begin()
}

// namespace is the name of the i-th namespace.
func namespace(i int) string { return fmt.Sprintf("soak-%02d", i) }

// makeNamespaces makes them, each with the right to write events, and to nothing else.
func (s *soak) makeNamespaces() error {
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "event-recorder"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"", "events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}},
	}}
	if _, err := s.clients.RbacV1().ClusterRoles().Create(s.ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	for i := range namespaces {
		made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace(i)}}
		if _, err := s.clients.CoreV1().Namespaces().Create(s.ctx, made, metav1.CreateOptions{}); err != nil {
			return err
		}
		if err := s.grant(s.ctx, namespace(i)); err != nil {
			return err
		}
	}
	return nil
}

const binding = "event-recorder"

func (s *soak) grant(ctx context.Context, namespace string) error {
	_, err := s.clients.RbacV1().RoleBindings(namespace).Create(ctx, &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: binding},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: cluster.LimitedUser}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: binding},
	}, metav1.CreateOptions{})
	return err
}

func (s *soak) revoke(ctx context.Context, namespace string) error {
	return s.clients.RbacV1().RoleBindings(namespace).Delete(ctx, binding, metav1.DeleteOptions{})
}

// run records, makes trouble and checks until the time is over, and then waits until all is
// written.
func (s *soak) run() error {
	s.began = time.Now()
	ctx, cancel := context.WithTimeout(s.ctx, s.length)
	defer cancel()
	watching, stopWatching := context.WithCancel(s.ctx)
	defer stopWatching()
	var working, watchers sync.WaitGroup
	working.Go(func() { s.load(ctx, rand.New(rand.NewPCG(s.seed, 1))) })
	working.Go(func() { s.operator.keepBusy(ctx, rand.New(rand.NewPCG(s.seed, 2))) })
	working.Go(func() { s.troubles.make(ctx, rand.New(rand.NewPCG(s.seed, 3))) })
	watchers.Go(func() { s.operator.keepRunning(watching) })
	watchers.Go(func() { s.watch(watching) })
	watchers.Go(func() { s.control(watching) })
	watchers.Go(func() { s.compareNowAndThen(watching) })
	working.Wait()
	fmt.Printf("%s the troubles are over\n", s.since())
	wait(s.ctx, settled)
	stopWatching()
	watchers.Wait()
	return errors.Join(s.ctx.Err(), s.checkEnd())
}

// since is the time of the run.
func (s *soak) since() time.Duration { return time.Since(s.began).Round(time.Second) }

func (s *soak) close() error {
	var errs []error
	if s.operator != nil {
		s.operator.close()
	}
	if s.plain != nil {
		s.plain.proxy.Close()
	}
	errs = append(errs, s.cluster.Stop())
	return errors.Join(errs...)
}

// findings are what should not be. Each kind is kept some times.
type findings struct {
	mu    sync.Mutex
	found []finding
	kinds map[string]int
}

type finding struct {
	at   time.Duration
	kind string
	text string
}

const mostOfAKind = 10

func (f *findings) add(at time.Duration, kind, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds = map[string]int{}
	}
	f.kinds[kind]++
	if f.kinds[kind] <= mostOfAKind {
		found := finding{at, kind, fmt.Sprintf(format, args...)}
		fmt.Printf("%s FOUND, %s: %s\n", at, found.kind, found.text)
		f.found = append(f.found, found)
	}
}

func (f *findings) list() []finding {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]finding(nil), f.found...)
}

func (f *findings) count(kind string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kinds[kind]
}
