package rules

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr/vm"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// known is a catalogue of some codes.
func known(code string) bool {
	return slices.Contains([]string{"fan_in", "price_deviation", "new_account_recipient"}, code)
}

func onPlayer(when string) economy.Rule {
	return economy.Rule{Name: "r", On: economy.OnPlayer, When: when, Then: economy.RuleEffect{Factor: 40}}
}

func onTrade(when string) economy.Rule {
	return economy.Rule{Name: "r", On: economy.OnTrade, When: when, Then: economy.RuleEffect{Suggestion: engines.Review}}
}

// someone is a player with a bit of everything.
func someone() economy.Features {
	return economy.Features{
		Score: 42, Factors: []economy.Factor{{Code: "fan_in", Score: 30}}, AccountAge: 2.5, ActiveDays: 3, Partners: 9, Givers: 8, Takers: 1, Shared: 2,
		Trades: [economy.Spans]int{1, 4, 10, 20}, Got: 5, Gave: 4.5, FreeGot: 3, FreeGave: 2,
		Flows: []economy.Flow{
			{What: "gold", Source: "quest", In: [economy.Spans]float64{10, 100, 1000, 1500}, Ins: [economy.Spans]int{1, 2, 3, 4}},
			{What: "gold", Source: "trade", In: [economy.Spans]float64{0, 900, 900, 900}, Out: [economy.Spans]float64{0, 800, 800, 800}, Ins: [economy.Spans]int{0, 1, 1, 1}, Outs: [economy.Spans]int{0, 1, 1, 1}},
			{What: "gem", Source: "shop", In: [economy.Spans]float64{7, 7, 7, 7}},
			{What: "", Source: "drop", In: [economy.Spans]float64{0, 0, 6, 6}, Out: [economy.Spans]float64{0, 0, 2, 2}},
		},
	}
}

func TestPlayerConditions(t *testing.T) {
	f := someone()
	for when, want := range map[string]bool{
		`player.earned("gold", "24h") == 1000`:                                        true,
		`player.earned("gold", "7d", "quest") == 1000`:                                true,
		`player.earned("gold", "1h") == 10 and player.spent("gold","7d")>799`:         true,
		`player.earned("gem", "30d") > 7`:                                             false,
		`player.earned("copper", "30d") == 0`:                                         true,
		`player.items_in("7d") == 6 && player.items_out("7d", "drop") == 2`:           true,
		`player.items_in("7d", "quest") == 0`:                                         true,
		`player.entries("24h") == 4 and player.entries("24h", "quest") == 2`:          true,
		`player.trades("1h") == 1 and player.trades("30d") == 20`:                     true,
		`player.account_age_days < 3 and player.score >= 42`:                          true,
		`player.factors.fan_in >= 30`:                                                 true,
		`player.factors["fan_in"] > 30 or player.factors.price_deviation > 0`:         false,
		`"fan_in" in player.factors and not ("price_deviation" in player.factors)`:    true,
		`"price_deviation" not in player.factors`:                                     true,
		`player.partners + player.givers * 2 - player.takers == 24`:                   true,
		`player.active_days in [1, 3, 5]`:                                             true,
		`player.got / player.gave > 1.1 and player.free_got ** 2 == 9`:                true,
		`let rate = player.earned("gold", "24h") / 24; rate > 41 and rate < 42`:       true,
		`player.shared_devices > 1 ? player.takers == 1 : player.takers == 7`:         true,
		`if player.score > 90 { true } else { player.free_gave == 2 }`:                true,
		`max(player.givers, player.takers) == 8 and abs(-3) == 3 and round(2.4) == 2`: true,
		`1 / 0 > 5 and player.score / 0 > 5`:                                          true, // an infinity, as numbers go
		"player.score > 1\n  // a remark\n  and player.score < 100":                   true,
	} {
		r := onPlayer(when)
		p, err := Compile(&r, known)
		if err != nil {
			t.Errorf("%s: %v", when, err)
			continue
		}
		if got, err := p.Player(&f); got != want || err != nil {
			t.Errorf("%s = %v, %v, want %v", when, got, err, want)
		}
	}
}

func TestTradeConditions(t *testing.T) {
	sender, receiver := someone(), economy.Features{AccountAge: 1, Score: 77}
	c := Case{
		Deal: &economy.Deal{
			Items: []economy.Stack{{Item: "sword", Count: 2}, {Item: "ore", Count: 1 << 62}, {Item: "ore", Count: 1 << 62}}, ReturnItems: []economy.Stack{{Item: "gem", Count: 3}},
			Money: economy.Money{Type: "gold", Amount: 5000}, ReturnMoney: economy.Money{Type: "gem", Amount: 1}, Type: "mail",
		},
		Model: &economy.Evaluation{Score: 55, Reasons: []string{"new_account_recipient"}}, Sender: &sender, Receiver: &receiver,
	}
	for when, want := range map[string]bool{
		`trade.type == "mail" and trade.currency == "gold" and trade.money >= 5000`:          true,
		`trade.return_currency == "gem" and trade.return_money == 1`:                         true,
		`trade.items.sword == 2 and trade.items["ore"] > 9e18 and trade.return_items.gem==3`: true,
		`"sword" in trade.items and "sword" not in trade.return_items`:                       true,
		`trade.stacks == 3 and trade.pieces > 9e18 and trade.return_pieces == 3`:             true,
		`"new_account_recipient" in trade.reasons and trade.score == 55`:                     true,
		`"price_deviation" in trade.reasons`:                                                 false,
		`sender.earned("gold","24h") < trade.money and receiver.account_age_days <= 1`:       true,
		`receiver.score > 70 and receiver.earned("gold", "30d") == 0`:                        true,
		`trade.type startsWith "ma" and lower("X") == "x" and len(trade.type) == 4`:          true,
		`trade.type in ["gift", "mail"]`:                                                     true,
	} {
		r := onTrade(when)
		p, err := Compile(&r, known)
		if err != nil {
			t.Errorf("%s: %v", when, err)
			continue
		}
		if got, err := p.Trade(&c); got != want || err != nil {
			t.Errorf("%s = %v, %v, want %v", when, got, err, want)
		}
	}
}

// What is wrong is told with its place; what could take long is no part of the
// language at all.
func TestWrongConditions(t *testing.T) {
	for when, want := range map[string]string{
		``:                                "is required",
		`player.scor > 1`:                 "line 1, column 8: type rules.subject has no field scor",
		"player.score > 1 and\nplaya.x":   "line 2, column 1: unknown name playa",
		`player.score >`:                  "line 1, column 14: unexpected token EOF",
		`player.score`:                    "expected bool, but got int",
		`player.score > "x"`:              "line 1, column 14: invalid operation: >",
		`trade.money > 5`:                 "unknown name trade",
		`player.earned("gold", "2h") > 1`: "line 1, column 23: no such window",
		`player.earned("gold", "7d", "a", "b") > 1`: "one source at most",
		`player.earned("", "7d") > 1`:               "must name a currency",
		`player.earned("gold", "7d", "") > 1`:       "must name a source",
		`player.earned("gold") > 1`:                 "not enough arguments",
		`player.earned > 1`:                         "invalid operation",
		`player.factors.fan_inn > 1`:                `line 1, column 16: there is no factor or reason "fan_inn"`,
		`player.factors[lower("X")] > 1`:            "must be written out",
		`player == player`:                          "player has parts",
		`player.factors == player.factors`:          "factors has parts",
		`slots__[0] > 1`:                            "not part of the language",
		`$env.player.score > 1`:                     "not part of the language",
		`all(1..1000, # > 0)`:                       "line 1, column",
		`len(1..1000000) > 1`:                       "no operator ..",
		`player.score in 1..100`:                    "must be a list",
		`player.score in [1, player.takers]`:        "a list holds",
		`"a" + "b" == "ab"`:                         "texts are not joined",
		`let a = "x"; let b = a + a; b == ""`:       "texts are not joined",
		`"aaaa" matches "(a+)+$"`:                   "no operator matches",
		`repeat("x", 100000000) == ""`:              "unknown name repeat",
		`{"a": 1}.a > 0`:                            "not part of the language",
		`[1,2,3][0] > 0`:                            "not part of the language",
		`"abc"[1:2] == "b"`:                         "not part of the language",
		`(player.score ?? 1) > 0`:                   "no operator ??",
		`toJSON(player) == ""`:                      "unknown name toJSON",
		`now().Year() > 1`:                          "unknown name now",
		`nil == nil`:                                "not part of the language",
		`player?.score > 1`:                         "not part of the language",
		`(player.score > 1 ? "a" : 2) == 2`:         "one number, text or truth",
		`max([1,2,3]) > 1`:                          "not part of the language",
		`let f = player.earned; f("gold","7d") > 1`: "function",
		`true` + strings.Repeat(" and true", 400):   "exceeds maximum allowed nodes",
		strings.Repeat("(", 3990) + "true":          "line 1",
		`not ` + strings.Repeat("x", 5000):          "at most 4000 bytes",
	} {
		r := onPlayer(when)
		_, err := Compile(&r, known)
		faults, ok := errors.AsType[economy.RuleFaults](err)
		if !ok || len(faults) == 0 || !strings.Contains(faults[0].Reason, want) {
			t.Errorf("%.60q: %v, want %q", when, err, want)
			continue
		}
		if faults[0].Pointer != "/when" || strings.Contains(err.Error(), " | ") {
			t.Errorf("%.60q: %v: want pointer /when and no snippet", when, err)
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	r := onPlayer(`player.factors.a > 1 and player.earned("gold", "2h") > 1`)
	r.Then = economy.RuleEffect{Factor: 101, Score: -1}
	_, err := Compile(&r, known)
	faults, _ := errors.AsType[economy.RuleFaults](err)
	var got []string
	for _, f := range faults {
		got = append(got, f.Pointer)
	}
	slices.Sort(got)
	if want := []string{"/then", "/then/factor", "/then/score", "/when", "/when"}; !slices.Equal(got, want) {
		t.Errorf("faults at %v, want %v", got, want)
	}
}

func TestNoValue(t *testing.T) {
	r := onPlayer(`player.score % player.takers == 1`)
	p, err := Compile(&r, known)
	if err != nil {
		t.Fatal(err)
	}
	if hit, err := p.Player(&economy.Features{}); hit || err == nil {
		t.Errorf("a division of whole numbers by 0: %v, %v, want an error", hit, err)
	}
}

// The print is of what a rule does alone.
func TestPrint(t *testing.T) {
	compiled := func(r economy.Rule) string {
		t.Helper()
		p, err := Compile(&r, known)
		if err != nil {
			t.Fatal(err)
		}
		return p.Rule.Print
	}
	base := onTrade("trade.money > 5")
	first := compiled(base)
	same := base
	same.State, same.Comment, same.Text.English, same.Name = economy.Live, "c", "t", "other"
	if compiled(same) != first {
		t.Error("a comment changes the print")
	}
	for name, change := range map[string]func(*economy.Rule){
		"the condition": func(r *economy.Rule) { r.When += " " },
		"the effect":    func(r *economy.Rule) { r.Then.Suggestion = engines.Block },
		"a score":       func(r *economy.Rule) { r.Then = economy.RuleEffect{Score: 5} },
	} {
		other := base
		if change(&other); compiled(other) == first {
			t.Errorf("%s does not change the print", name)
		}
	}
}

func BenchmarkPlayer(b *testing.B) {
	r, f := onPlayer(`player.account_age_days < 7 and player.earned("gold", "24h") > 5 * player.earned("gold", "7d", "quest") and player.factors.fan_in >= 30`), someone()
	p, err := Compile(&r, known)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.Player(&f)
	}
}

func BenchmarkTrade(b *testing.B) {
	r, f := onTrade(`trade.money > 1000 and trade.type in ["mail", "gift"] and receiver.account_age_days < 3 and sender.earned("gold", "24h") < trade.money and "price_deviation" in trade.reasons`), someone()
	p, err := Compile(&r, known)
	if err != nil {
		b.Fatal(err)
	}
	c := Case{Deal: &economy.Deal{Money: economy.Money{Type: "gold", Amount: 5000}, Type: "mail"}, Model: &economy.Evaluation{}, Sender: &f, Receiver: &f}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = p.Trade(&c)
	}
}

// bounded reports whether a program runs each of its instructions once at most, and
// none whose cost grows with what it is asked about.
func bounded(p *Program) bool {
	for _, op := range p.code.Bytecode {
		switch op {
		case vm.OpJumpBackward, vm.OpBegin, vm.OpRange, vm.OpMatches, vm.OpMatchesConst, vm.OpCall, vm.OpCallN, vm.OpCallTyped, vm.OpCallSafe, vm.OpSlice, vm.OpMap:
			return false
		}
	}
	return true
}

// FuzzCompile: whatever a studio writes is refused or bounded, and runs.
func FuzzCompile(f *testing.F) {
	for _, when := range []string{
		`player.earned("gold", "24h") > 5 * player.earned("gold", "7d", "quest")`, `all(1..1000, all(1..1000, # > 0))`, `let a = 1..9; len(a) > 1`,
		`"x" in player.factors`, `player.score in [1, 2]`, `map([1], #) == [1]`, `trade.items["x"] > 1 and trade.type in ["a"]`, `reduce(1..9, #acc + #) > 1`,
		`"a" matches "b"`, `if true { player.score > 1 } else { false }`, `sender.trades("1h") ** 2 < receiver.trades("7d")`, `[1,2][0] == 1`, `1 | abs > 0`,
	} {
		f.Add(when)
	}
	features := someone()
	f.Fuzz(func(t *testing.T, when string) {
		for _, r := range []economy.Rule{onPlayer(when), onTrade(when)} {
			p, err := Compile(&r, known)
			if err != nil {
				continue
			}
			if !bounded(p) {
				t.Fatalf("%q is not bounded:\n%s", when, p.code.Disassemble())
			}
			if r.On == economy.OnPlayer {
				_, _ = p.Player(&features)
				continue
			}
			_, _ = p.Trade(&Case{Deal: &economy.Deal{}, Model: &economy.Evaluation{}, Sender: &features, Receiver: &features})
		}
	})
}
