package eventrt_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

type (
	colour  string
	flag    bool
	retries int8
	port    uint16
	ratio   float32
)

// brittle is an error and a Stringer that can't bear being nil.
type brittle struct{ text string }

func (b *brittle) Error() string  { return b.text }
func (b *brittle) String() string { return b.text }

// stoic is an error that copes with being nil.
type stoic struct{}

func (*stoic) Error() string { return "stoic" }

// loud panics with whatever it holds.
type loud struct{ with any }

func (l loud) Error() string  { panic(l.with) }
func (l loud) String() string { panic(l.with) }

func TestArgsAreShown(t *testing.T) {
	tests := []struct {
		name  string
		param eventrt.Param
		arg   eventrt.Arg
		want  string
	}{
		{"string", eventrt.Param{}, eventrt.String("a string"), "a string"},
		{"string type", eventrt.Param{}, eventrt.String(colour("red")), "red"},
		{"bounded", eventrt.Param{MaxBytes: 8}, eventrt.String("123456789"), "12345…"},
		{"bounded as long", eventrt.Param{MaxBytes: 9}, eventrt.String("123456789"), "123456789"},
		{"hostile string", eventrt.Param{}, eventrt.String("a\x00\xff\u2028b"), "a \uFFFD b"},
		{"quoted", eventrt.Param{Quote: true}, eventrt.String(`say "hi"`), `"say \"hi\""`},
		{"quoted within the bound", eventrt.Param{Quote: true, MaxBytes: 8}, eventrt.String("abcdefghij"), `"abcd…`},
		{"quoted grows by escapes", eventrt.Param{Quote: true, MaxBytes: 8}, eventrt.String(`""""""`), `"\"\"…`},

		{"false", eventrt.Param{}, eventrt.Bool(flag(false)), "false"},

		{"zero", eventrt.Param{}, eventrt.Int(0), "0"},
		{"least int64", eventrt.Param{}, eventrt.Int(int64(math.MinInt64)), "-9223372036854775808"},
		{"signed type", eventrt.Param{}, eventrt.Int(retries(-128)), "-128"},
		{"unsigned type", eventrt.Param{}, eventrt.Uint(port(8080)), "8080"},

		{"float", eventrt.Param{}, eventrt.Float(0.1), "0.1"},
		{"float of precision 0", eventrt.Param{Precision: 1}, eventrt.Float(2.5), "2"},
		{"float of precision 2", eventrt.Param{Precision: 3}, eventrt.Float(ratio(0.125)), "0.12"},
		{"largest float of precision 2", eventrt.Param{Precision: 3}, eventrt.Float(math.MaxFloat64), big.NewFloat(math.MaxFloat64).Text('f', 2)},
		{"bounded float that fits", eventrt.Param{Precision: 3, MaxBytes: 7}, eventrt.Float(-123.45), "-123.45"},
		{"bounded float of precision 2", eventrt.Param{Precision: 3, MaxBytes: 12}, eventrt.Float(-math.MaxFloat64), "-1.7977e+308"},
		{"least bound of a float", eventrt.Param{Precision: 3, MaxBytes: 7}, eventrt.Float(-math.MaxFloat64), "-2e+308"},
		{"next bound of a float", eventrt.Param{MaxBytes: 8}, eventrt.Float(0.123456789), "1e-01"},
		{"bounded infinity", eventrt.Param{Precision: 3, MaxBytes: 7}, eventrt.Float(math.Inf(-1)), "-Inf"},
		{"negative zero", eventrt.Param{}, eventrt.Float(math.Copysign(0, -1)), "-0"},

		{"duration", eventrt.Param{}, eventrt.Duration(90 * time.Second), "1m30s"},
		{"largest rounded", eventrt.Param{Round: time.Hour}, eventrt.Duration(math.MaxInt64), "2562047h47m16.854775807s"},
		{"whole seconds", eventrt.Param{Unit: time.Second}, eventrt.Duration(90*time.Second + 999), "90s"},
		{"negative minutes", eventrt.Param{Unit: time.Minute}, eventrt.Duration(-90 * time.Second), "-1m"},
		{"rounded minutes", eventrt.Param{Round: time.Minute, Unit: time.Minute}, eventrt.Duration(-90 * time.Second), "-2m"},
		{"microseconds", eventrt.Param{Unit: time.Microsecond}, eventrt.Duration(time.Millisecond), "1000µs"},

		{"time", eventrt.Param{}, eventrt.Time(time.Date(2026, 3, 1, 12, 0, 0, 5, time.FixedZone("", 3600))), "2026-03-01T11:00:00Z"},
		{"no time", eventrt.Param{}, eventrt.Time(time.Time{}), "0001-01-01T00:00:00Z"},
		{"no time, elsewhere", eventrt.Param{}, eventrt.Time(time.Time{}.In(time.FixedZone("", -3600))), "0001-01-01T00:00:00Z"},
		{"before the epoch", eventrt.Param{Layout: time.RFC3339Nano}, eventrt.Time(time.Unix(-1, 999)), "1969-12-31T23:59:59.000000999Z"},
		{"before year 0", eventrt.Param{}, eventrt.Time(time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)), "0000-01-01T00:00:00Z"},
		{"end of year 9999", eventrt.Param{}, eventrt.Time(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)), "9999-12-31T23:59:59Z"},
		{"beyond year 9999", eventrt.Param{}, eventrt.Time(time.Date(292277, 1, 1, 0, 0, 0, 0, time.UTC)), "9999-12-31T23:59:59Z"},
		{"layout", eventrt.Param{Layout: time.RFC1123Z}, eventrt.Time(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)), "Sun, 01 Mar 2026 12:00:00 +0000"},

		{"error", eventrt.Param{}, eventrt.Error(errors.New("it broke")), "it broke"},
		{"nil error", eventrt.Param{}, eventrt.Error(nil), "<nil>"},
		{"typed nil error", eventrt.Param{}, eventrt.Error((*stoic)(nil)), "stoic"},
		{"typed nil error that minds", eventrt.Param{}, eventrt.Error((*brittle)(nil)), "<nil>"},
		{"error that panics", eventrt.Param{}, eventrt.Error(loud{"boom"}), "<panic>"},
		{"error that panics with nil", eventrt.Param{}, eventrt.Error(loud{}), "<panic>"},
		{"error with hostile text", eventrt.Param{MaxBytes: 9}, eventrt.Error(errors.New("a\n\xffbcdefgh")), "a \uFFFDb…"},
		{"Stringer", eventrt.Param{}, eventrt.Stringer(time.Minute), "1m0s"},
		{"nil Stringer", eventrt.Param{}, eventrt.Stringer(nil), "<nil>"},
		{"typed nil Stringer", eventrt.Param{}, eventrt.Stringer((*brittle)(nil)), "<nil>"},
		{"Stringer that panics", eventrt.Param{}, eventrt.Stringer(loud{errors.New("boom")}), "<panic>"},

		{"list", eventrt.Param{}, eventrt.Strings([]string{"a", "b", "c"}, ", "), "a, b, c"},
		{"no list", eventrt.Param{}, eventrt.Strings(nil, ", "), ""},
		{"empty values", eventrt.Param{}, eventrt.Strings([]string{"", ""}, ","), ","},
		{"bounded list", eventrt.Param{MaxBytes: 8}, eventrt.Strings([]string{"abc", "def", "ghi"}, ","), "abc,d…"},

		{"huge list", eventrt.Param{MaxBytes: 8}, eventrt.Strings([]string{strings.Repeat("€", 1<<20), "y"}, ","), "€…"},
		{"sensitive", eventrt.Param{Sensitive: true}, eventrt.String("secret"), "<redacted>"},
		{"sensitive and empty", eventrt.Param{Sensitive: true}, eventrt.String(""), "<redacted>"},
		{"sensitive nil", eventrt.Param{Sensitive: true}, eventrt.Error(nil), "<redacted>"},
		{"sensitive and optional", eventrt.Param{Sensitive: true, Optional: true, Prefix: " token "}, eventrt.String("secret"), " token <redacted>"},
		{"sensitive, optional and empty", eventrt.Param{Sensitive: true, Optional: true, Prefix: " token "}, eventrt.String(""), ""},
		{"sensitive and quoted", eventrt.Param{Sensitive: true, Quote: true}, eventrt.String("secret"), "<redacted>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := eventrt.NewEvent(messageDefinition(tt.param), eventrt.ObjectOf(pod()), eventrt.ObjectRef{}, tt.arg)
			if got := e.Message(); got != tt.want || tt.param.Sensitive && strings.Contains(fmt.Sprintf("%+v", e), "secret") {
				t.Errorf("shows %q, want %q; kept %+v", got, tt.want, e)
			}
		})
	}
}

func TestOptionalArgsShowNothingWhenTheyAreZero(t *testing.T) {
	tests := []struct {
		name string
		arg  eventrt.Arg
		want string
	}{
		{"empty string", eventrt.String(""), ""},
		{"string", eventrt.String("x"), "; hint: x"},
		{"true", eventrt.Bool(true), "; hint: true"},
		{"zero int", eventrt.Int(0), ""},
		{"int", eventrt.Int(-1), "; hint: -1"},
		{"zero duration", eventrt.Duration(0), ""},
		{"zero time", eventrt.Time(time.Time{}), ""},
		{"the Unix epoch", eventrt.Time(time.Unix(0, 0)), "; hint: 1970-01-01T00:00:00Z"},
		{"nil error", eventrt.Error(nil), ""},
		{"error that panics", eventrt.Error(loud{}), "; hint: <panic>"},
		{"nil Stringer", eventrt.Stringer(nil), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shown(eventrt.Param{Optional: true, Prefix: "; hint: "}, tt.arg); got != tt.want {
				t.Errorf("shows %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEqualArgsAreEqual(t *testing.T) {
	at := time.Now()
	tests := []struct {
		name string
		a, b eventrt.Arg
	}{
		{"times in different locations", eventrt.Time(at), eventrt.Time(at.UTC().Round(0))},
		{"zero times", eventrt.Time(time.Time{}), eventrt.Time(time.Time{}.In(time.FixedZone("", 3600)))},
		{"NaN", eventrt.Float(math.NaN()), eventrt.Float(math.NaN())},
		{"errors with one text", eventrt.Error(errors.New("x")), eventrt.Error(&brittle{"x"})},
		{"a list and its text", eventrt.Strings([]string{"a", "b"}, ","), eventrt.String("a,b")},
	}
	for _, tt := range tests {
		if tt.a != tt.b {
			t.Errorf("%s differ: %+v, %+v", tt.name, tt.a, tt.b)
		}
	}
	for _, pair := range [][2]eventrt.Arg{
		{eventrt.Int(1), eventrt.Uint(uint8(1))},
		{eventrt.Int(1), eventrt.Bool(true)},
		{eventrt.String("1"), eventrt.Int(1)},
		{eventrt.Time(time.Time{}), eventrt.Time(time.Unix(0, 0))},
		{eventrt.Error(nil), eventrt.String("")},
		{eventrt.Float(0.0), eventrt.Float(math.Copysign(0, -1))},
	} {
		if pair[0] == pair[1] {
			t.Errorf("%+v and %+v are equal", pair[0], pair[1])
		}
	}
}
