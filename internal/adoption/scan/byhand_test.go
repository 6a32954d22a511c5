package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const byHandSource = `// Package hand creates events itself.
package hand

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type creator interface{ Create(ctx context.Context, object any) error }

func made(reason string) *corev1.Event { return &corev1.Event{Reason: reason} }

func hand(ctx context.Context, c kubernetes.Interface, client creator, given *corev1.Event) {
	c.CoreV1().Events("a").Create(ctx, &corev1.Event{Reason: "Literal"}, metav1.CreateOptions{}) // by hand
	event := &eventsv1.Event{Reason: "Variable"}
	event.Note = "text"
	c.EventsV1().Events("a").Create(ctx, event, metav1.CreateOptions{}) // by hand
	client.Create(ctx, made("Made"))                                    // by hand
	var filled corev1.Event
	filled.Reason = "Filled"
	client.Create(ctx, &filled) // by hand
	client.Create(ctx, given)
	client.Create(ctx, given.DeepCopy())
	copied := *given
	copied.Reason = "Copied"
	client.Create(ctx, &copied)
	client.Create(ctx, &corev1.Pod{})
	c.CoreV1().Events("a").CreateWithEventNamespaceWithContext(ctx, &corev1.Event{Reason: "Named"}) // by hand
	send(ctx, c, &corev1.Event{Reason: "Sent"})
	create := func(e *corev1.Event) { client.Create(ctx, e) } // by hand
	create(&filled)
	forward(ctx, c, given)
}

func send(ctx context.Context, c kubernetes.Interface, e *corev1.Event) {
	c.CoreV1().Events("a").Create(ctx, e, metav1.CreateOptions{}) // by hand
}

func forward(ctx context.Context, c kubernetes.Interface, e *corev1.Event) {
	c.CoreV1().Events("a").Create(ctx, e, metav1.CreateOptions{})
}
`

// TestByHand: each event that the program builds itself has a line. An event that it forwards or
// copies has none.
func TestByHand(t *testing.T) {
	dir := module(t)
	if err := os.Mkdir(filepath.Join(dir, "hand"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "hand", "hand.go"), []byte(byHandSource), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Read(t.Context(), Options{Dir: dir, Patterns: []string{"./hand"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Program(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	got := map[int]bool{}
	for _, c := range Scan(t.Context(), p).Left {
		got[c.Pos.Line] = true
	}
	for i, line := range strings.Split(byHandSource, "\n") {
		if want := strings.HasSuffix(line, "// by hand"); got[i+1] != want {
			t.Errorf("line %d: %v, want %v: %s", i+1, got[i+1], want, line)
		}
	}
}
