package e2e

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// extras make arguments for generated methods: as they are in life, or the worst that a caller can give.
type extras struct {
	namespace string
	worst     bool
	count     int
}

var (
	objectType = reflect.TypeFor[metav1.Object]()
	errorType  = reflect.TypeFor[error]()
)

// arguments fit a method. Where it picks among variants, an enum is the given one.
func (x *extras) arguments(method reflect.Type, variant string) []reflect.Value {
	args := make([]reflect.Value, method.NumIn())
	for i := range args {
		args[i] = x.argument(method.In(i), variant)
	}
	return args
}

func (x *extras) argument(t reflect.Type, variant string) reflect.Value {
	if t.Implements(objectType) && t.Kind() == reflect.Pointer {
		return x.object(t)
	}
	if t == errorType {
		return reflect.ValueOf(errors.New(x.text()))
	}
	v := reflect.New(t).Elem()
	switch value := v.Addr().Interface().(type) {
	case *time.Time:
		*value = time.Date(2026, 2, 3, 4, 5, 6, 7, time.FixedZone("x", 3600))
	case *types.NamespacedName:
		*value = types.NamespacedName{Namespace: x.text(), Name: x.text()}
	case *[]string:
		*value = []string{x.text(), x.text()}
	default:
		x.scalar(v, variant)
	}
	return v
}

func (x *extras) scalar(v reflect.Value, variant string) {
	switch {
	case v.Kind() == reflect.String && v.Type().PkgPath() != "":
		v.SetString(variant)
	case v.Kind() == reflect.String:
		v.SetString(x.text())
	case v.CanInt() && x.worst:
		v.SetInt(math.MinInt64 >> (64 - v.Type().Bits()))
	case v.CanInt():
		v.SetInt(3)
	}
}

// text is a word, or what is too long, has bytes that are no text, and would span lines.
func (x *extras) text() string {
	if !x.worst {
		return "web"
	}
	return strings.Repeat("é\n\xff\"%s{}<b>€\x00😀", 300)
}

// object is one that no other event is about.
func (x *extras) object(t reflect.Type) reflect.Value {
	x.count++
	name := fmt.Sprintf("web-%d", x.count)
	if x.worst {
		name = strings.Repeat("n", 253-len(name)) + name
	}
	v := reflect.New(t.Elem())
	o := v.Interface().(metav1.Object)
	o.SetNamespace(x.namespace)
	o.SetName(name)
	o.SetUID(types.UID(fmt.Sprintf("00000000-0000-0000-0000-%012d", x.count)))
	return v
}
