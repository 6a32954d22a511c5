package runtime

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// ClientObject is an object of the API with metadata. Generated code asserts it of the types that a catalog names.
type ClientObject interface {
	k8sruntime.Object
	metav1.Object
}

// NamespacedName is an argument shown as namespace/name. The zero value is an absent one, shown as / where the param is not
// optional.
func NamespacedName(v types.NamespacedName) Arg {
	if v == (types.NamespacedName{}) {
		return Arg{kind: argAbsent, text: "/"}
	}
	return Arg{kind: argText, text: v.String()}
}

// Quantity is an argument of type resource.Quantity, rendered at once. Zero is an absent one, shown as 0 where the param
// is not optional.
func Quantity(v resource.Quantity) Arg {
	if v.IsZero() {
		return Arg{kind: argAbsent, text: "0"}
	}
	return Arg{kind: argText, text: guarded(nil, v.String)}
}

// ObjectName is an argument shown as kind/name, the kind being that of the object's TypeMeta, else of its Go type. Nil is
// an absent one.
func ObjectName(obj k8sruntime.Object) Arg {
	o := AnyObject(obj)
	if !o.present {
		return Arg{kind: argAbsent}
	}
	return Arg{kind: argText, text: o.kindName() + "/" + o.Name}
}

// kindName is the kind, or the name of the Go type of an object that does not tell it.
func (o *ObjectRef) kindName() string {
	if !o.kindless {
		return o.Kind
	}
	t := o.goType()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}
