package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// broadcaster is a variable that holds a broadcaster of client-go.
type broadcaster struct {
	local bool // it is a local variable whose type is not written
	// values are what is stored in it, and from the variables among them.
	values []brewing
	from   []*broadcaster
	// unknown: something is stored in it that is no call.
	unknown bool
	calls   []broadcasterCall
	// other says what else it is used for.
	other string
}

// brewing is a call that makes a broadcaster.
type brewing struct {
	span
	fun  span
	name string // of the function
	args []option
	at   token.Position // for people
}

// option is an argument of such a call.
type option struct {
	span
	// fun is the function of client-go that makes it, with its name; empty if that is not known.
	fun  span
	name string
}

// broadcasterCall is a call of a broadcaster's method.
type broadcasterCall struct {
	span
	method string
	name   span
	args   []span
	// client is the client of a sink, source the component of a recorder.
	client, source span
	// declared is the offset at which the client's variable is declared in the file; 0 if it is a
	// field or one of the package.
	declared int
	// verbosity is the level at which klog logs, for StartLogging; empty if the function is another
	// one.
	verbosity string
	// alone: nothing takes its result.
	alone bool
}

// isBroadcaster reports whether a type is one of client-go's interfaces of broadcasters.
func isBroadcaster(t types.Type) bool {
	name := scan.TypeName(t)
	return name == recordPath+".EventBroadcaster" || name == eventsPath+".EventBroadcaster"
}

// broadcasterOf is the broadcaster that an expression names; nil if it names none.
func (r *reader) broadcasterOf(x ast.Expr) *broadcaster {
	if _, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		return nil
	}
	return r.broadcasterVar(r.target(x))
}

func (r *reader) broadcasterVar(obj types.Object) *broadcaster {
	v, ok := obj.(*types.Var)
	if !ok || !v.Pos().IsValid() || !isBroadcaster(v.Type()) {
		return nil
	}
	k := r.position(v.Origin().Pos())
	b := r.broadcasters[k]
	if b == nil {
		b = &broadcaster{}
		r.broadcasters[k] = b
	}
	return b
}

// noteBroadcaster notes what is stored in a variable.
func (r *reader) noteBroadcaster(obj types.Object, x ast.Expr) {
	b := r.broadcasterVar(obj)
	if b == nil {
		return
	}
	if from := r.broadcasterOf(x); from != nil {
		b.from = appendNew(b.from, from)
		return
	}
	c, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		if !r.info().Types[ast.Unparen(x)].IsNil() {
			b.unknown = true
		}
		return
	}
	fn := r.callee(c)
	if fn == nil || fn.Pkg() == nil || !r.editable || realPath(fn.Pkg()) != recordPath && realPath(fn.Pkg()) != eventsPath {
		b.unknown = true
		return
	}
	if r.defines {
		b.local = true
	}
	v := brewing{span: r.span(c), fun: r.span(c.Fun), name: realPath(fn.Pkg()) + "." + fn.Name(), at: r.onDisk(r.position(c.Pos()))}
	for _, a := range c.Args {
		v.args = append(v.args, r.option(a))
	}
	if !slices.ContainsFunc(b.values, func(o brewing) bool { return o.span == v.span }) {
		b.values = append(b.values, v)
	}
}

func (r *reader) option(x ast.Expr) option {
	o := option{span: r.span(x)}
	if c, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		if fn := r.callee(c); fn != nil && fn.Pkg() != nil && realPath(fn.Pkg()) == recordPath {
			o.fun, o.name = r.span(c.Fun), fn.Name()
		}
	}
	return o
}

// broadcasterUse notes what a broadcaster is used for.
func (r *reader) broadcasterUse(x ast.Expr) {
	if id, ok := x.(*ast.Ident); ok && r.info().Uses[id] == nil {
		return
	}
	b := r.broadcasterOf(x)
	if b == nil || r.handled[x] {
		return
	}
	sel, isSelector := r.parent(0).(*ast.SelectorExpr)
	if isSelector && sel.Sel == x {
		return
	}
	call, isCall := r.parent(1).(*ast.CallExpr)
	if !isSelector || !isCall || ast.Unparen(call.Fun) != ast.Expr(sel) || !r.editable {
		b.other = r.at(r.position(x.Pos()))
		return
	}
	c := broadcasterCall{span: r.span(call), method: sel.Sel.Name, name: r.span(sel.Sel)}
	switch r.parent(2).(type) {
	case *ast.ExprStmt, *ast.DeferStmt:
		c.alone = true
	}
	for _, a := range call.Args {
		c.args = append(c.args, r.span(a))
	}
	switch c.method {
	case "StartLogging":
		c.verbosity = r.verbosity(call)
	case "StartRecordingToSink":
		c.client, c.declared = r.sinkClient(call)
	case "NewRecorder":
		if len(call.Args) == 2 {
			if x := r.component(call.Args[1]); x != nil {
				c.source = r.span(x)
			}
		}
	}
	if !slices.ContainsFunc(b.calls, func(o broadcasterCall) bool { return o.span == c.span }) {
		b.calls = append(b.calls, c)
	}
}

// sinkClient is C of a call with &EventSinkImpl{Interface: C.CoreV1().Events("")}, and where the
// variable of C is declared.
func (r *reader) sinkClient(call *ast.CallExpr) (client span, declared int) {
	if len(call.Args) != 1 {
		return span{}, 0
	}
	a, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok {
		return span{}, 0
	}
	lit, ok := a.X.(*ast.CompositeLit)
	if !ok || scan.TypeName(r.info().TypeOf(lit)) != "k8s.io/client-go/kubernetes/typed/core/v1.EventSinkImpl" {
		return span{}, 0
	}
	sink, _ := scan.Element(r.info(), lit, "Interface")
	events, ok := ast.Unparen(sink).(*ast.CallExpr)
	if !ok || len(events.Args) != 1 {
		return span{}, 0
	}
	if namespace, ok := scan.ConstantText(r.info(), events.Args[0]); !ok || namespace != "" {
		return span{}, 0
	}
	group, ok := receiverCall(events, "Events")
	if !ok {
		return span{}, 0
	}
	sel, ok := ast.Unparen(group.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "CoreV1" {
		return span{}, 0
	}
	v := r.variable(sel.X)
	if m, _, _ := types.LookupFieldOrMethod(r.info().TypeOf(sel.X), true, r.pkg.Types, "EventsV1"); m == nil || v == nil {
		return span{}, 0
	}
	if !v.IsField() && v.Parent() != v.Pkg().Scope() {
		declared = r.position(v.Pos()).Offset
	}
	return r.span(sel.X), declared
}

// receiverCall is the call that a method is called on.
func receiverCall(c *ast.CallExpr, method string) (*ast.CallExpr, bool) {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method {
		return nil, false
	}
	inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	return inner, ok
}

// variable is the variable that a chain of fields begins with; nil for other expressions.
func (r *reader) variable(x ast.Expr) *types.Var {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		v, _ := r.info().Uses[x].(*types.Var)
		return v
	case *ast.SelectorExpr:
		return r.variable(x.X)
	}
	return nil
}

// component is the component of an EventSource that names nothing else; or the name itself, as
// tools/events has it.
func (r *reader) component(x ast.Expr) ast.Expr {
	if scan.IsString(r.info().TypeOf(x)) {
		return x
	}
	lit, ok := ast.Unparen(x).(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 {
		return nil
	}
	name, _ := scan.Element(r.info(), lit, "Component")
	return name
}

func (r *reader) componentName(x ast.Expr) (string, bool) {
	if c := r.component(x); c != nil {
		return scan.ConstantText(r.info(), c)
	}
	return "", false
}

// all are the calls that make what a broadcaster's variable holds, by whatever variables.
func (b *broadcaster) all() (values []brewing, known bool) {
	known = true
	seen := map[*broadcaster]bool{}
	var visit func(b *broadcaster)
	visit = func(b *broadcaster) {
		if seen[b] {
			return
		}
		seen[b] = true
		known = known && !b.unknown
		values = append(values, b.values...)
		for _, from := range b.from {
			visit(from)
		}
	}
	visit(b)
	return values, known && len(values) > 0
}

// refusesBroadcaster says why the recorder of a broadcaster can't be had where it is to go; empty
// if it can.
func (d *decision) refusesBroadcaster(c *class, in *inflow) string {
	m := in.made
	switch {
	case isTest(in.file), d.opts.Onto == Events && in.api == scan.Events, d.opts.Onto == EventGen && m.ours:
		return ""
	case d.opts.Onto == Keep, d.opts.Onto == Record, !m.broadcasters:
		return d.wrongAPI(in, in.api, false)
	case m.broadcaster == nil:
		return "its broadcaster is in no variable"
	}
	values, known := m.broadcaster.all()
	if !known {
		return "it is not known where its broadcaster is made"
	}
	if d.opts.Onto == EventGen {
		return refusesDropIn(values)
	}
	if why := d.refusesEventsBroadcaster(m.broadcaster); why != "" {
		return why
	}
	return d.refusesName(c, m.name, m.known)
}

// dropIns are the functions of client-go that the drop-in stands for.
var dropIns = map[string]string{
	recordPath + ".NewBroadcaster":                      "NewBroadcaster",
	recordPath + ".NewBroadcasterWithCorrelatorOptions": "NewBroadcaster",
	recordPath + ".NewBroadcasterForTests":              "NewBroadcaster",
	eventsPath + ".NewBroadcaster":                      "NewEventsBroadcaster",
}

// dropInOptions are options of client-go's that the drop-in has, too.
var dropInOptions = []string{"WithContext", "WithCorrelatorOptions"}

func refusesDropIn(values []brewing) string {
	for _, v := range values {
		if dropIns[v.name] == "" {
			return "the drop-in has no " + v.name[strings.LastIndex(v.name, "/")+1:]
		}
		for _, o := range v.args {
			if v.name == recordPath+".NewBroadcaster" && !slices.Contains(dropInOptions, o.name) {
				return "the drop-in does not have an option of its broadcaster"
			}
		}
	}
	return ""
}

// refusesEventsBroadcaster says why a broadcaster of tools/record can't become one of tools/events.
func (d *decision) refusesEventsBroadcaster(b *broadcaster) string {
	switch {
	case len(b.values) != 1 || len(b.from) > 0 || !b.local || b.unknown:
		return "its broadcaster is not made for one local variable"
	case b.values[0].name != recordPath+".NewBroadcaster" || len(b.values[0].args) > 0:
		return "its broadcaster has options that tools/events has not"
	case b.other != "":
		return "its broadcaster is used otherwise at " + b.other
	}
	sinks := 0
	for _, call := range b.calls {
		if call.file != b.values[0].file {
			return "its broadcaster is used in another file"
		}
		switch call.method {
		case "Shutdown":
		case "StartLogging", "StartStructuredLogging":
			if !call.alone {
				return "what " + call.method + " returns is used"
			}
			if call.method == "StartLogging" && call.verbosity == "" {
				return "its broadcaster logs with a function other than klog.Infof, and tools/events only logs with klog"
			}
		case "StartRecordingToSink":
			sinks++
			if call.client.file == "" || !call.alone || call.declared > b.values[0].from {
				return "its sink is not the events of all namespaces, of a client that is there when the broadcaster is made"
			}
		case "NewRecorder":
			if call.source.file == "" {
				return "its EventSource has more than a component"
			}
			if !d.moved(call.span) {
				return "another recorder of its broadcaster stays"
			}
		default:
			return "its broadcaster's " + call.method + " is used"
		}
	}
	if sinks != 1 {
		return "its broadcaster does not have one sink"
	}
	return ""
}

// moved reports whether what a call makes is stored in a node that moves, or may yet.
func (d *decision) moved(call span) bool {
	for _, n := range d.order {
		for _, in := range n.in {
			if in.made != nil && in.made.call == call && n.class.moves() {
				return true
			}
		}
	}
	return false
}
