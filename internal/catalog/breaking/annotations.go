package breaking

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// annotations compares the older side's annotations. A new one is no break.
func (l link) annotations() []broken {
	was, is := definitionsOf(l.was)[0], definitionsOf(l.is)[0]
	var breaks []broken
	shown := shownParams{}
	for n, a := range was.Runtime.Annotations {
		i := slices.IndexFunc(is.Runtime.Annotations, func(o eventrt.AnnotationDefinition) bool { return o.Key == a.Key })
		if i < 0 {
			b := l.breaks("BW04", l.is.Source.Pos, fmt.Sprintf("the annotation %s is gone", a.Key))
			breaks = append(breaks, l.foundAll(b.by("", a.Key, "")))
			continue
		}
		before, now := pieces(a.Value, l.to), pieces(is.Runtime.Annotations[i].Value, nil)
		l.shown(before, now, specPair{}, shown)
		if slices.Equal(before, now) {
			breaks = append(breaks, l.prefixes("BW04", specPair{was, is, ""}, now)...)
			for _, p := range l.pairs() {
				breaks = append(append(breaks, l.rest("BW04", p, now)...), l.displaced(p, a.Key, now)...)
			}
			continue
		}
		text, other := &l.was.Source.Annotations[n].Value, &l.is.Source.Annotations[i].Value
		b := l.breaks("BW04", cmp.Or(other.Pos, l.is.Source.Pos), fmt.Sprintf("the annotation %s was %q and is %q", a.Key, text.Text, other.Text))
		breaks = append(breaks, l.foundAll(b.by("", text.Text, other.Text)))
	}
	return append(breaks, l.displays("BW04", shown)...)
}

// displaced reports a text that can be longer than before and otherwise looks the same, if the end of an annotation that shows it can be cut
// for that. The byte proof keeps this from happening to messages.
func (l link) displaced(p specPair, key string, text []piece) []broken {
	for i, j := range l.to {
		at := slices.Index(text, piece{value: eventrt.ParamValue, param: j})
		if j < 0 || at < 0 || !l.is.Params[j].Text() || len(l.options(i)) > 0 {
			continue
		}
		was, is := bound(p.was.Runtime.Params[i]), bound(p.is.Runtime.Params[j])
		if was >= is || !l.overflows(p.is, text, at, was, is) {
			continue
		}
		what := fmt.Sprintf("the end of the annotation %s can be cut, since param %s takes up to %d bytes and took %d", key, l.is.Params[j].Name, is, was)
		return []broken{p.found(l.bounded(p, i, what, was, is))}
	}
	return nil
}

// overflows reports whether the text after a param was visible in some annotation, and is cut now that the param takes more bytes.
func (l link) overflows(d *model.Definition, text []piece, at, was, is int) bool {
	least, before, after := 0, 0, 0
	for i, p := range text {
		switch {
		case i < at:
			least += len(p.text)
			before += l.longest(d, p)
		case i > at:
			after += l.longest(d, p)
		}
	}
	visible := eventrt.MaxNoteBytes - 1 - was // what may stand before the param
	return after > 0 && least <= visible && min(before, visible)+is+after > eventrt.MaxNoteBytes
}

// longest returns the most bytes that a piece takes.
func (l link) longest(d *model.Definition, p piece) int {
	switch p.value {
	case eventrt.NoValue:
		return len(p.text)
	case eventrt.ParamValue:
		param := l.is.Params[p.param]
		return len(param.Definition.Prefix) + cmp.Or(param.MaxBytes, bound(d.Runtime.Params[p.param]))
	}
	return model.ObjectBytes(p.value, d)
}

// bounded makes a break of what bounds a param now: its own bound, if that changed, else the message, which leaves it the rest.
func (l link) bounded(p specPair, i int, what string, was, is int) broken {
	before, now := l.was.Params[i], l.is.Params[l.to[i]]
	if before.MaxBytes == now.MaxBytes {
		return l.breaks("BW04", l.messagePos(p.is), what).by("message", p.was.Message, p.is.Message)
	}
	return l.breaks("BW04", cmp.Or(now.Declaration().MaxBytes.Pos, now.Declaration().Type.Pos, now.Pos), what).by("bound of "+now.Name, fmt.Sprint(was), fmt.Sprint(is))
}
