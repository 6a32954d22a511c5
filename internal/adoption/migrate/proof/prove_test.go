package proof

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// shown are the arguments of a verdict as source.
func shown(v *Verdict) string {
	var out []string
	for _, a := range v.Args {
		out = append(out, source(a))
	}
	return strings.Join(out, ", ")
}

func source(a Argument) string {
	text := "nil"
	switch a.How {
	case Pass:
		return types.ExprString(a.Expr)
	case Convert:
		return fmt.Sprintf("%s(%s)", a.Type.Name, types.ExprString(a.Expr))
	case Address:
		return "&" + types.ExprString(a.Expr)
	case Call:
		text = fmt.Sprintf("%s.%s()", types.ExprString(a.Expr), a.Method)
	case Sprintf:
		text = fmt.Sprintf("Sprintf(%q", a.Format)
		if a.Format == "" {
			text = "Sprintf(" + types.ExprString(a.Expr)
		}
		for _, x := range a.Args {
			text += ", " + types.ExprString(x)
		}
		text += ")"
	case Constant:
		if a.Name != "" {
			return a.Name
		}
		return fmt.Sprintf("%q", a.Text)
	}
	if a.Converted {
		return a.Type.Name + "(" + text + ")"
	}
	return text
}

func ids(v *Verdict) string {
	var out []string
	for _, c := range v.Causes {
		if !slices.Contains(out, string(c.ID)) {
			out = append(out, string(c.ID))
		}
	}
	return strings.Join(out, " ")
}

func TestProve(t *testing.T) {
	const head = "{reason: Failed, type: Warning, regarding: Pod, "
	tests := []struct {
		name, entry string
		text        []string
		outcome     Outcome
		args, ids   string
	}{
		{"constant", head + `message: "It is 100% so"}`, []string{"It is 100% so"}, Equal, "", ""},
		{"other text", head + `message: "a b"}`, []string{"a c"}, NoCall, "", "text"},
		{"prefix only", head + `message: "a b c"}`, []string{"a b"}, NoCall, "", "text"},
		{"more text", head + `message: "a"}`, []string{"a b"}, NoCall, "", "text"},
		{"control character", head + `message: "a b"}`, []string{"a\nb"}, EqualExcept, "", "control"},
		{"number", head + `params: [{name: num, type: int}], message: "{num} left"}`, []string{"%d I", " left"}, Equal, "I", ""},
		{"number by %v", head + `params: [{name: num, type: int}], message: "{num} left"}`, []string{"%v I", " left"}, Equal, "I", ""},
		{"wider number", head + `params: [{name: num, type: int64}], message: "{num}"}`, []string{"%d I32"}, Equal, "int64(I32)", ""},
		{"narrower number", head + `params: [{name: num, type: int32}], message: "{num}"}`, []string{"%d I"}, NoCall, "", "text"},
		{"named number", head + `params: [{name: num, type: int32}], message: "{num}"}`, []string{"%d N"}, Equal, "int32(N)", ""},
		{"number with a String method", head + `params: [{name: num, type: int}], message: "{num}"}`, []string{"%v L"}, NoCall, "", "text"},
		{"number with a String method by %d", head + `params: [{name: num, type: int}], message: "{num}"}`, []string{"%d L"}, Equal, "int(L)", ""},
		{"width", head + `params: [{name: num, type: int}], message: "{num}"}`, []string{"%5d I"}, NoCall, "", "text"},
		{"width as text", head + `params: [{name: num, type: string}], message: "{num}"}`, []string{"%5d I"}, EqualExcept, `Sprintf("%5d", I)`, "cut control utf8"},
		{"string", head + `params: [{name: s, type: string}], message: "{s}"}`, []string{"%s S"}, EqualExcept, "S", "cut control utf8"},
		{"named string", head + `params: [{name: s, type: string}], message: "{s}"}`, []string{"%s Phase"}, EqualExcept, "string(Phase)", "cut control utf8"},
		{"string with a String method", head + `params: [{name: s, type: string}], message: "{s}"}`, []string{"%s Word"}, EqualExcept, `Sprintf("%s", Word)`, "cut control utf8"},
		{"quoted", head + `params: [{name: s, type: string, quote: true, maxBytes: 100}], message: "{s}"}`, []string{"%q S"}, EqualExcept, "S", "cut control utf8"},
		{"not quoted", head + `params: [{name: s, type: string, quote: true, maxBytes: 100}], message: "{s}"}`, []string{"%s S"}, NoCall, "", "text"},
		{"enum", head + `params: [{name: to, type: enum, values: [up, down]}], message: "scaled {to}"}`, []string{"scaled down"}, Equal, "FailedToDown", ""},
		{"constant argument for an enum", head + `params: [{name: to, type: enum, values: [up, down]}], message: "scaled {to}"}`, []string{"scaled ", `%s "up"`}, Equal, "FailedToUp", ""},
		{"no value of an enum", head + `params: [{name: to, type: enum, values: [up, down]}], message: "scaled {to}"}`, []string{"scaled sideways"}, NoCall, "", "text"},
		{"text for an enum", head + `params: [{name: to, type: enum, values: [up, down]}], message: "scaled {to}"}`, []string{"scaled ", "%s S"}, NoCall, "", "text"},
		{"error", head + `params: [{name: err, type: error}], message: "no: {err}"}`, []string{"no: ", "%v Err"}, EqualExcept, "Err", "cut control utf8 own-format panic"},
		{"error by %s", head + `params: [{name: err, type: error}], message: "no: {err}"}`, []string{"no: ", "%s Err"}, EqualExcept, "Err", "cut control utf8 nil own-format panic"},
		{"text of an error", head + `params: [{name: err, type: error}], message: "no: {err}"}`, []string{"no: ", "%v Err.Error()"}, EqualExcept, "Err", "cut control utf8"},
		{"text of an error as text", head + `params: [{name: err, type: string}], message: "no: {err}"}`, []string{"no: ", "%v Err.Error()"}, EqualExcept, "Err.Error()", "cut control utf8"},
		{"concrete error", head + `params: [{name: err, type: error}], message: "{err}"}`, []string{"%v Fail"}, EqualExcept, "Fail", "cut control utf8 panic"},
		{"bool", head + `params: [{name: b, type: bool}], message: "{b}"}`, []string{"%t B"}, Equal, "B", ""},
		{"float", head + `params: [{name: f, type: float64, precision: 2}], message: "{f}"}`, []string{"%.2f F"}, Equal, "F", ""},
		{"float of another precision", head + `params: [{name: f, type: float64, precision: 2}], message: "{f}"}`, []string{"%.3f F"}, NoCall, "", "text"},
		{"small float", head + `params: [{name: f, type: float64, precision: 2}], message: "{f}"}`, []string{"%.2f F32"}, Equal, "float64(F32)", ""},
		{"duration", head + `params: [{name: d, type: duration}], message: "{d}"}`, []string{"%s D"}, Equal, "D", ""},
		{"rounded duration", head + `params: [{name: d, type: duration, round: 1s}], message: "{d}"}`, []string{"%s D"}, Different, "D", "rendering"},
		{"time", head + `params: [{name: t, type: time}], message: "{t}"}`, []string{"%s T"}, Different, "T", "rendering"},
		{"list", head + `params: [{name: l, type: strings, separator: " ", maxBytes: 200}], message: "of [{l}]"}`, []string{"of ", "%v List"}, EqualExcept, "List", "cut control utf8"},
		{"joined list", head + `params: [{name: l, type: strings, maxBytes: 200}], message: "of {l}"}`, []string{"of ", `%s strings.Join(List, ", ")`}, EqualExcept, "List", "cut control utf8"},
		{"list otherwise joined", head + `params: [{name: l, type: strings, maxBytes: 200}], message: "of {l}"}`, []string{"of ", `%s strings.Join(List, ",")`}, NoCall, "", "text"},
		{"name of a namespaced object", head + `params: [{name: num, type: namespacedName}], message: "{num}"}`, []string{"%s NN"}, EqualExcept, "NN", "cut control utf8 panic"},
		{"quantity", head + `params: [{name: q, type: quantity, maxBytes: 30}], message: "{q}"}`, []string{"%s Q"}, NoCall, "", "text"},
		{"quantity's text", head + `params: [{name: q, type: quantity, maxBytes: 30}], message: "{q}"}`, []string{"%s Q.String()"}, EqualExcept, "Q", "cut control utf8"},
		{"quantity's address", head + `params: [{name: q, type: quantity, maxBytes: 30}], message: "{q}"}`, []string{"%s &Q"}, EqualExcept, "Q", "cut control utf8 panic"},
		{"regarding name", head + `message: "pod {regarding.name} failed"}`, []string{"pod ", "%s Pod.Name", " failed"}, EqualExcept, "", "cut control utf8"},
		{"regarding by method", head + `message: "{regarding.namespace}/{regarding.name}"}`, []string{"%s Pod.GetNamespace()", "/", "%v Pod.ObjectMeta.Name"}, EqualExcept, "", "cut control utf8"},
		{"another object's name", head + `message: "{regarding.name}"}`, []string{"%s Node.Name"}, NoCall, "", "text"},
		{"kind", head + `message: "{regarding.kind} failed"}`, []string{"Pod failed"}, Equal, "", ""},
		{"related in the record API", head + `related: Node, message: "on {related.name}"}`, []string{"on ", "%s NodeV.Name"}, EqualExcept, "", "cut control utf8"},
		{"sensitive", head + `params: [{name: s, type: string, sensitive: true}], message: "{s}"}`, []string{"%s S"}, Different, "S", "cut control utf8 redacted"},
		{"optional with a prefix", head + `params: [{name: s, type: string, optional: true, prefix: ": "}], message: "no{s}"}`, []string{"no: ", "%s S"}, Different, "S", "cut control utf8 zero"},
		{"optional without its prefix", head + `params: [{name: s, type: string, optional: true, prefix: ": "}], message: "no{s}"}`, []string{"no", "%s S"}, NoCall, "", "text"},
		{"optional left out", head + `params: [{name: s, type: string, optional: true, prefix: ": "}], message: "no{s}"}`, []string{"no"}, Equal, `""`, ""},
		{"text that the caller formats", head + `params: [{name: text, type: string}], message: "no: {text}."}`, []string{"no: a ", "%d I", " b ", "%v Err", "."}, EqualExcept, `Sprintf("a %d b %v", I, Err)`, "cut control utf8"},
		{"literal text as an argument", head + `params: [{name: what, type: string, maxBytes: 20}, {name: err, type: error}], message: "no {what}: {err}"}`, []string{"no pods: ", "%v Err"}, EqualExcept, `"pods", Err`, "cut control utf8 own-format panic"},
		{"two of a kind", head + `params: [{name: a, type: string, maxBytes: 20}, {name: b, type: string}], message: "{b} {a} {b}"}`, []string{"%s S", " ", "%s S2", " ", "%s S"}, EqualExcept, "S2, S", "cut control utf8"},
		{"two that differ", head + `params: [{name: a, type: string, maxBytes: 20}, {name: b, type: string}], message: "{b} {a} {b}"}`, []string{"%s S", " ", "%s S2", " ", "%s S2"}, NoCall, "", "text"},
		{"text by two verbs", head + `params: [{name: a, type: string}], message: "{a} {a}"}`, []string{"%s Word", " ", "%v Word"}, EqualExcept, `Sprintf("%s", Word)`, "cut control utf8 panic"},
		{"verb that vet reports", head + `params: [{name: a, type: string}], message: "{a}"}`, []string{"%w Err"}, NoCall, "", "text"},
		{"verb of another type", head + `params: [{name: a, type: string}], message: "{a}"}`, []string{"%d S"}, NoCall, "", "text"},
		{"calls in another order", head + `params: [{name: b, type: string, maxBytes: 20}, {name: a, type: string}], message: "{a} {b}"}`, []string{"%s Next()", " ", "%s S2+Next()"}, Different, "S2 + Next(), Next()", "cut control utf8 order"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newReader(t)
			v := Prove(r.site(r.text(tt.text...)), entry(t, tt.entry))
			if v.Outcome() != tt.outcome || shown(&v) != tt.args || ids(&v) != tt.ids {
				t.Errorf("%s (%s), %s\nwant %s (%s), %s\n%v", v.Outcome(), ids(&v), shown(&v), tt.outcome, tt.ids, tt.args, v.Causes)
			}
		})
	}
}
