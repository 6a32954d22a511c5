package kube

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"unicode"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/sink"
)

// answerer is a server, or anything in its place, that answers all requests alike.
type answerer func(*http.Request) *http.Response

func (a answerer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return a(r), nil
}

// Whatever answers, the sink gives an outcome, and an error that a log shows on one line. Nothing
// is stored unless the answer says so.
func FuzzAnswers(f *testing.F) {
	for _, code := range []int{200, 201, 304, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503} {
		f.Add(code, "text/plain", "", "7", []byte("404 page not found"))
		f.Add(code, "application/json", "0f4c9e5a", "", []byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,`+
			`"message":"events is forbidden: User \"u\" cannot create resource","details":{"retryAfterSeconds":3,"causes":[{"reason":"FieldValueInvalid","field":"note","message":"Invalid value: \"x\": no"}]}}`))
		f.Add(code, "application/json", "", "\x1b", []byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"For\u001b[31mbidden","code":403,`+
			`"message":"admission webhook \"\u001b[2Jdeny\u202e\" denied the request: no","details":{"retryAfterSeconds":-3,"causes":[{"reason":"FieldValueRequired","field":"a\u001b[31m\nb","message":"Required value: \u0007"}]}}`))
	}
	stored := eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Name: "web.1", ResourceVersion: "7"}}
	raw, err := stored.Marshal()
	if err != nil {
		f.Fatal(err)
	}
	envelope := k8sruntime.Unknown{TypeMeta: k8sruntime.TypeMeta{APIVersion: "events.k8s.io/v1", Kind: "Event"}, Raw: raw}
	body, err := envelope.Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(201, k8sruntime.ContentTypeProtobuf, "", "", append([]byte(protobufPrefix), body...))
	f.Fuzz(func(t *testing.T, code int, contentType, audit, retryAfter string, body []byte) {
		if code < 200 || code > 599 {
			return // no answer of HTTP
		}
		config := &rest.Config{Host: "http://server", Transport: answerer(func(r *http.Request) *http.Response {
			return &http.Response{StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r, Body: io.NopCloser(bytes.NewReader(body)),
				Header: http.Header{"Content-Type": {contentType}, "Audit-Id": {audit}, "Retry-After": {retryAfter}}}
		})}
		target := Auto(config)
		for _, w := range []*sink.Write{newCreate(), newUpdate()} {
			a := target.Write(t.Context(), w)
			if a.Outcome == 0 || (a.Err == nil) != (a.Outcome == sink.Done) || a.RetryAfter < 0 {
				t.Fatalf("answer %+v", a)
			}
			if a.Outcome == sink.Done && code >= 300 {
				t.Errorf("%d counts as stored", code)
			}
			if a.Err != nil {
				checkText(t, a.Err.Error())
			}
		}
	})
}

func checkText(t *testing.T, text string) {
	t.Helper()
	if len(text) > 1200 {
		t.Errorf("an error of %d bytes", len(text))
	}
	for _, r := range text {
		if unicode.IsControl(r) || r == unicode.ReplacementChar {
			t.Fatalf("the error %q holds a control character", text)
		}
	}
}
