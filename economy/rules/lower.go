package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker/nature"
	"github.com/expr-lang/expr/file"

	"github.com/portcullis-gg/portcullis/economy"
)

// lowering walks a checked condition. It lets through only what takes a bounded time
// (no loops, no ranges, no patterns, no strings that grow) and puts a slot where a
// map or a function is used.
type lowering struct {
	source string
	known  func(code string) bool
	slots  []slot
	uses   [ofTrade + 1]bool
	faults economy.RuleFaults
}

// The operators that there are; each takes its operands as they are, once.
var operators = map[string]bool{
	"and": true, "or": true, "&&": true, "||": true, "==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true,
	"+": true, "-": true, "*": true, "/": true, "%": true, "**": true, "^": true, "contains": true, "startsWith": true, "endsWith": true,
}

// builtins are the functions of the language that there are.
var builtins = []string{"abs", "ceil", "floor", "round", "min", "max", "len", "lower"}

func (l *lowering) fault(n ast.Node, format string, args ...any) {
	e := (&file.Error{Location: n.Location()}).Bind(file.NewSource(l.source))
	l.faults = append(l.faults, economy.RuleFault{Pointer: "/when", Reason: place(e) + fmt.Sprintf(format, args...)})
}

func place(e *file.Error) string { return fmt.Sprintf("line %d, column %d: ", e.Line, e.Column+1) }

// walk lowers a node whose value is a number, a string or a truth.
func (l *lowering) walk(p *ast.Node) {
	switch n := (*p).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode:
	case *ast.IdentifierNode:
		l.name(n)
	case *ast.MemberNode:
		l.member(p, n)
	case *ast.CallNode:
		l.call(p, n)
	case *ast.UnaryNode:
		l.walk(&n.Node)
	case *ast.BinaryNode:
		l.binary(p, n)
	case *ast.ConditionalNode:
		l.walk(&n.Cond)
		l.walk(&n.Exp1)
		l.walk(&n.Exp2)
		l.plain(n)
	case *ast.VariableDeclaratorNode:
		l.walk(&n.Value)
		l.plain(n.Value)
		l.walk(&n.Expr)
	case *ast.BuiltinNode:
		l.builtin(n, n.Name, n.Arguments)
	default:
		l.fault(n, "is not part of the language: no lists, loops, ranges or patterns")
	}
}

// plain wants a node to be a number, a string or a truth.
func (l *lowering) plain(n ast.Node) bool {
	if kind := kindOf(n); kind == reflect.Invalid {
		l.fault(n, "must be one number, text or truth value")
		return false
	}
	return true
}

// kindOf is Bool, String, Float64 for every number, and Invalid for all else.
func kindOf(n ast.Node) reflect.Kind {
	t := n.Type()
	if t == nil {
		return reflect.Invalid
	}
	switch k := t.Kind(); k {
	case reflect.Bool, reflect.String:
		return k
	case reflect.Int, reflect.Int64, reflect.Float64:
		return reflect.Float64
	default:
		return reflect.Invalid
	}
}

// name is a variable of the condition's own: the environment has none that stands
// for itself.
func (l *lowering) name(n *ast.IdentifierNode) {
	if _, ok := sides[n.Value]; ok {
		l.fault(n, "%s has parts: say which", n.Value)
	} else if n.Value == slotsName || n.Value == "$env" {
		l.fault(n, "unknown name %s", n.Value)
	}
}

func (l *lowering) builtin(n ast.Node, name string, args []ast.Node) {
	if !slices.Contains(builtins, name) {
		l.fault(n, "there is no function %s here; there are %s", name, strings.Join(builtins, ", "))
		return
	}
	for i := range args {
		l.walk(&args[i])
		l.plain(args[i])
	}
}

func (l *lowering) binary(p *ast.Node, n *ast.BinaryNode) {
	if n.Operator == "in" {
		l.in(p, n)
		return
	}
	if !operators[n.Operator] {
		l.fault(n, "there is no operator %s here", n.Operator)
		return
	}
	l.walk(&n.Left)
	l.walk(&n.Right)
	if !l.plain(n.Left) || !l.plain(n.Right) {
		return
	}
	if n.Operator == "+" && kindOf(n.Left) == reflect.String {
		l.fault(n, "texts are not joined")
	}
}

// in lowers `"x" in ["x", "y"]` and `"x" in trade.items`.
func (l *lowering) in(p *ast.Node, n *ast.BinaryNode) {
	switch right := n.Right.(type) {
	case *ast.ArrayNode:
		l.walk(&n.Left)
		l.plain(n.Left)
		for _, one := range right.Nodes {
			switch one.(type) {
			case *ast.IntegerNode, *ast.StringNode:
			default:
				l.fault(one, "a list holds whole numbers and texts alone")
			}
		}
		return
	case *ast.MemberNode:
		key, ok := n.Left.(*ast.StringNode)
		if of, what, isMap := mapOf(right); isMap {
			if !ok {
				l.fault(n.Left, "must be written out")
				return
			}
			at := l.slot(n, slot{of: of, what: what, key: key.Value})
			*p = &ast.BinaryNode{Operator: "!=", Left: at, Right: &ast.FloatNode{}}
			(*p).SetLocation(n.Location())
			(*p).SetNature(nature.FromType(reflect.TypeFor[bool]()))
			return
		}
	}
	l.fault(n.Right, "must be a list, or one of the maps")
}

// mapOf is which map a node is.
func mapOf(n ast.Node) (of side, what string, ok bool) {
	m, ok := n.(*ast.MemberNode)
	if !ok || n.Type() == nil || n.Type().Kind() != reflect.Map {
		return 0, "", false
	}
	return sideOf(m)
}

// sideOf takes player.x apart.
func sideOf(m *ast.MemberNode) (of side, what string, ok bool) {
	root, isName := m.Node.(*ast.IdentifierNode)
	part, isText := m.Property.(*ast.StringNode)
	if !isName || !isText {
		return 0, "", false
	}
	of, ok = sides[root.Value]
	return of, part.Value, ok
}

func (l *lowering) member(p *ast.Node, n *ast.MemberNode) {
	if of, what, ok := mapOf(n.Node); ok {
		key, ok := n.Property.(*ast.StringNode)
		if !ok {
			l.fault(n.Property, "must be written out")
			return
		}
		*p = l.slot(n, slot{of: of, what: what, key: key.Value})
		return
	}
	of, what, ok := sideOf(n)
	switch {
	case !ok || n.Optional:
		l.fault(n, "is not part of the language")
	case kindOf(n) == reflect.Invalid && n.Type() != nil && n.Type().Kind() == reflect.Func:
		l.fault(n, "%s is a function: call it", what)
	case kindOf(n) == reflect.Invalid:
		l.fault(n, "%s has parts: say which", what)
	default:
		l.uses[of] = true
	}
}

func (l *lowering) call(p *ast.Node, n *ast.CallNode) {
	callee, ok := n.Callee.(*ast.MemberNode)
	if !ok {
		name, _ := n.Callee.(*ast.IdentifierNode)
		if name == nil {
			l.fault(n, "is not part of the language")
			return
		}
		l.builtin(n, name.Value, n.Arguments)
		return
	}
	of, what, ok := sideOf(callee)
	if !ok {
		l.fault(n, "is not part of the language")
		return
	}
	args := make([]string, len(n.Arguments))
	for i, a := range n.Arguments {
		text, ok := a.(*ast.StringNode)
		if !ok {
			l.fault(a, "must be written out")
			return
		}
		args[i] = text.Value
	}
	s := slot{of: of, what: what}
	if what == "earned" || what == "spent" {
		if s.money, args = args[0], args[1:]; s.money == "" {
			l.fault(n.Arguments[0], "must name a currency")
		}
	}
	if s.span, ok = windows[args[0]]; !ok {
		l.fault(n.Arguments[len(n.Arguments)-len(args)], "no such window: there are 1h, 24h, 7d, 30d")
	}
	switch {
	case len(args) == 2 && args[1] == "":
		l.fault(n.Arguments[len(n.Arguments)-1], "must name a source")
	case len(args) == 2:
		s.source = args[1]
	case len(args) > 2:
		l.fault(n, "takes one source at most")
	}
	*p = l.slot(n, s)
}

// slotsName is the environment's list of slot values; no condition may name it.
const slotsName = "slots__"

// slot is the node that reads a slot's value. Two uses of one thing share a slot.
func (l *lowering) slot(n ast.Node, s slot) ast.Node {
	if (s.what == "factors" || s.what == "reasons") && !l.known(s.key) {
		l.fault(n, "there is no factor or reason %q in the catalogue", s.key)
	}
	l.uses[s.of] = true
	i := slices.Index(l.slots, s)
	if i < 0 {
		i, l.slots = len(l.slots), append(l.slots, s)
	}
	at := &ast.MemberNode{Node: &ast.IdentifierNode{Value: slotsName}, Property: &ast.IntegerNode{Value: i}}
	at.SetLocation(n.Location())
	at.SetNature(nature.FromType(reflect.TypeFor[float64]()))
	return at
}
