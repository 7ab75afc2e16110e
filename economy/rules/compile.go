package rules

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const (
	// maxSource and maxNodes bound a condition. It runs each of its nodes once at
	// most, each in a time that does not grow with what it is asked about beyond the
	// player's flows and the trade's items, which slots walk once.
	maxSource = 4000
	maxNodes  = 300
)

// Program is a rule that is ready to run. It may run many times at once.
type Program struct {
	Rule  economy.Rule
	code  *vm.Program
	slots []slot
	uses  [ofTrade + 1]bool
}

// Catalogue reports whether a factor or a reason has this code.
type Catalogue func(code string) bool

// Compile checks a rule and makes it ready, without its cases. Its error is an
// economy.RuleFaults with everything that is wrong.
func Compile(r *economy.Rule, known Catalogue) (*Program, error) {
	p := &Program{Rule: *r}
	faults := form(r)
	if len(r.When) <= maxSource && utf8.ValidString(r.When) {
		faults = append(faults, p.compile(known)...)
	} else {
		faults = append(faults, economy.RuleFault{Pointer: "/when", Reason: fmt.Sprintf("must be at most %d bytes of UTF-8", maxSource)})
	}
	if len(faults) > 0 {
		return nil, faults
	}
	p.Rule.Print = printOf(r)
	return p, nil
}

// printOf tells apart what rules do.
func printOf(r *economy.Rule) string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "%s\n%d %s %d\n%s", r.On, r.Then.Factor, r.Then.Suggestion, r.Then.Score, r.When) // a hash takes all
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// form checks what is beside the condition.
func form(r *economy.Rule) (faults economy.RuleFaults) {
	fault := func(pointer, reason string) {
		faults = append(faults, economy.RuleFault{Pointer: pointer, Reason: reason})
	}
	e := r.Then
	set := 0
	for _, on := range []bool{e.Factor != 0, e.Suggestion != "", e.Score != 0} {
		if on {
			set++
		}
	}
	switch {
	case r.On != economy.OnPlayer && r.On != economy.OnTrade:
		fault("/on", "must be player or trade")
		return faults
	case set != 1 || r.On == economy.OnPlayer && e.Factor == 0 || r.On == economy.OnTrade && e.Factor != 0:
		fault("/then", map[economy.RuleSubject]string{
			economy.OnPlayer: "a rule on players has a factor, and nothing else",
			economy.OnTrade:  "a rule on trades has a suggestion or a score, and nothing else",
		}[r.On])
	}
	if e.Factor < 0 || e.Factor > 100 {
		fault("/then/factor", "must be 1 to 100")
	}
	if e.Score < 0 || e.Score > 100 {
		fault("/then/score", "must be 1 to 100")
	}
	if e.Suggestion != "" && e.Suggestion != engines.Review && e.Suggestion != engines.Block {
		fault("/then/suggestion", "must be review or block")
	}
	return faults
}

// compile compiles the condition.
func (p *Program) compile(known Catalogue) (faults economy.RuleFaults) {
	defer func() { // a fault of the compiler is the rule's, not ours
		if r := recover(); r != nil {
			faults = economy.RuleFaults{{Pointer: "/when", Reason: "does not compile"}}
		}
	}()
	var env any = playerEnv{}
	switch p.Rule.On {
	case economy.OnPlayer:
	case economy.OnTrade:
		env = tradeEnv{}
	default:
		return nil // told by form
	}
	if strings.TrimSpace(p.Rule.When) == "" {
		return economy.RuleFaults{{Pointer: "/when", Reason: "is required"}}
	}
	config := conf.New(env)
	config.Expect, config.MaxNodes = reflect.Bool, maxNodes
	for name := range config.Builtins {
		if config.Disabled[name] = !slices.Contains(builtins, name); config.Disabled[name] {
			delete(config.Builtins, name)
		}
	}
	config.Check()
	tree, err := parser.ParseWithConfig(p.Rule.When, config)
	if err != nil {
		return wrong(err)
	}
	if _, err := checker.Check(tree, config); err != nil {
		return wrong(err)
	}
	l := lowering{source: p.Rule.When, known: known}
	l.walk(&tree.Node)
	if len(l.faults) > 0 {
		return l.faults
	}
	if _, err := checker.Check(tree, config); err != nil {
		return wrong(err)
	}
	if err := optimizer.Optimize(&tree.Node, config); err != nil {
		return wrong(err)
	}
	p.code, err = compiler.Compile(tree, config)
	if err != nil {
		return wrong(err)
	}
	p.slots, p.uses = l.slots, l.uses
	return nil
}

// wrong makes a fault of a compiler's error, with its place and without the source.
func wrong(err error) economy.RuleFaults {
	reason := err.Error()
	if e, ok := errors.AsType[*file.Error](err); ok {
		reason = place(e) + e.Message
	}
	return economy.RuleFaults{{Pointer: "/when", Reason: cmp.Or(reason, "does not compile")}}
}
