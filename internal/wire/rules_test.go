package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

const playerRule = `{"state":"shadow","on":"player","when":"player.score > 1","then":{"factor":40},"text":{"en":"E","ja":"日","zh":"中","ko":"한"},"comment":"c\nd","author":"ann",
	"must_hit":[{"score":5,"factors":{"fan_in":30,"guild_bank":-4},"account_age_days":1.5,"active_days":1,"partners":2,"givers":3,"takers":4,"shared_devices":5,
		"got":1.25,"gave":2,"free_got":3,"free_gave":4,"trades":{"1h":1,"7d":9},
		"flows":[{"currency":"gold","source":"quest","in":{"24h":100},"out":{"30d":7},"entries_in":{"24h":2},"entries_out":{"30d":1}},{"source":"drop","in":{"1h":1}}]}],
	"must_pass":[{}]}`

const tradeRule = `{"state":"live","on":"trade","when":"trade.money > 1","then":{"suggestion":"block"},
	"must_hit":[{"trade":{"trade_type":"mail","currency":{"type":"gold","amount":5},"items":[{"item_id":"ore","count":2}],"score":7,"reasons":["fan_in"]},"receiver":{"score":3}}]}`

func TestReadRule(t *testing.T) {
	o := parse(t, playerRule)
	got := ReadRule(o, "app", false)
	want := economy.Rule{
		App: "app", State: economy.InTrial, On: economy.OnPlayer, When: "player.score > 1", Then: economy.RuleEffect{Factor: 40},
		Text: economy.Text{English: "E", Japanese: "日", Chinese: "中", Korean: "한"}, Comment: "c\nd", Author: "ann",
		MustHit: []economy.RuleCase{{Player: economy.Features{
			Score: 5, Factors: []economy.Factor{{Code: "fan_in", Score: 30}, {Code: "guild_bank", Score: -4}}, AccountAge: 1.5, ActiveDays: 1, Partners: 2, Givers: 3,
			Takers: 4, Shared: 5, Got: 1.25, Gave: 2, FreeGot: 3, FreeGave: 4, Trades: [economy.Spans]int{1, 1, 9, 9},
			Flows: []economy.Flow{
				{What: "gold", Source: "quest", In: [economy.Spans]float64{0, 100, 100, 100}, Out: [economy.Spans]float64{0, 0, 0, 7}, Ins: [economy.Spans]int{0, 2, 2, 2}, Outs: [economy.Spans]int{0, 0, 0, 1}},
				{Source: "drop", In: [economy.Spans]float64{1, 1, 1, 1}},
			},
		}}},
		MustPass: []economy.RuleCase{{Player: economy.Features{AccountAge: -1}}},
	}
	if diff := cmp.Diff(want, got); o.Err() != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", o.Err(), diff)
	}
	o = parse(t, tradeRule)
	got = ReadRule(o, "app", false)
	want = economy.Rule{
		App: "app", State: economy.Live, On: economy.OnTrade, When: "trade.money > 1", Then: economy.RuleEffect{Suggestion: engines.Block},
		MustHit: []economy.RuleCase{{
			Deal:  economy.Deal{Type: "mail", Money: economy.Money{Type: "gold", Amount: 5}, Items: []economy.Stack{{Item: "ore", Count: 2}}},
			Score: 7, Reasons: []string{"fan_in"}, Sender: economy.Features{AccountAge: -1}, Receiver: economy.Features{AccountAge: -1, Score: 3},
		}},
	}
	if diff := cmp.Diff(want, got); o.Err() != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", o.Err(), diff)
	}
}

// What is read back is what was written.
func TestRuleThereAndBack(t *testing.T) {
	for _, body := range []string{playerRule, tradeRule} {
		first := ReadRule(parse(t, body), "app", false)
		first.Name, first.Version, first.By, first.Changed = "r", 3, "app/app", 1790000000000
		text := AppendSuccess(nil, "r", func(dst []byte) []byte { return AppendRule(dst, &first) })
		o := parse(t, string(text))
		second := ReadRule(o, "app", false)
		second.Name, second.Version, second.By, second.Changed = "r", 3, "app/app", 1790000000000
		if diff := cmp.Diff(first, second); o.Err() != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s\n%s", o.Err(), diff, text)
		}
		m, _ := decode(t, text).(map[string]any)
		if m["name"] != "r" || m["version"] != 3.0 || m["by"] != "app/app" || m["changed_at"] != "2026-09-21T14:13:20.000Z" {
			t.Errorf("%s", text)
		}
	}
}

func TestRuleFaults(t *testing.T) {
	change := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(playerRule) }
	for name, test := range map[string]struct {
		body     string
		pointers []string
	}{
		"nothing":              {`{}`, []string{"/state", "/on", "/then"}},
		"other words":          {change("shadow", "on", `"player","when"`, `"guild","when"`), []string{"/state", "/on"}},
		"a factor too large":   {change(`"factor":40`, `"factor":101`), []string{"/then/factor"}},
		"no factor":            {change(`"factor":40`, `"factor":0`), []string{"/then/factor"}},
		"a fraction":           {change(`"factor":40`, `"factor":1.5`), []string{"/then/factor"}},
		"pass":                 {change(`"factor":40`, `"suggestion":"pass"`), []string{"/then/suggestion"}},
		"then is no object":    {change(`{"factor":40}`, `7`), []string{"/then"}},
		"a text too long":      {change(`"日"`, `"`+strings.Repeat("日", 501)+`"`), []string{"/text/ja"}},
		"an age that is none":  {change("1.5", "1e400"), []string{"/must_hit/0/account_age_days"}},
		"a negative window":    {change(`"24h":100`, `"24h":-1`), []string{"/must_hit/0/flows/0/in/24h"}},
		"a window as text":     {change(`"24h":100`, `"24h":"100"`), []string{"/must_hit/0/flows/0/in/24h"}},
		"a factor that is not": {change(`"fan_in":30`, `"fan_in":300`), []string{"/must_hit/0/factors/fan_in"}},
		"a case of no object":  {change(`[{}]`, `[7]`), []string{"/must_pass/0"}},
		"too many cases":       {change(`[{}]`, `[`+strings.Repeat("{},", 50)+`{}]`), []string{"/must_pass"}},
		"a control character":  {change(`"ann"`, `"a\u0000n"`), []string{"/author"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := parse(t, test.body)
			ReadRule(o, "app", false)
			wantFields(t, o.Err(), test.pointers...)
		})
	}
}

// Faults of the shape and of the sense are one answer, each told once.
func TestMerge(t *testing.T) {
	o := parse(t, `{"rule":`+strings.Replace(playerRule, "40", "400", 1)+`}`)
	in := o.Object("rule")
	ReadRule(in, "app", true)
	err := o.Merge("rule", economy.RuleFaults{{Pointer: "/then", Reason: "a"}, {Pointer: "/when", Reason: "b"}, {Pointer: "/when", Reason: "c"}, {Pointer: "/must_hit/0", Reason: "d"}})
	wantFields(t, err, "/rule/then/factor", "/rule/when", "/rule/when", "/rule/must_hit/0")
	if err := parse(t, `{}`).Merge("", nil); err != nil {
		t.Errorf("nothing wrong: %v", err)
	}
	away := errors.New("away")
	if err := parse(t, `{}`).Merge("", away); !errors.Is(err, away) {
		t.Errorf("another error: %v, want %v", err, away)
	}
}

func TestReadTry(t *testing.T) {
	for name, test := range map[string]struct {
		body     string
		pointers []string
	}{
		"nothing":            {`{}`, []string{"/rule"}},
		"no player":          {`{"rule":` + playerRule + `}`, []string{"/player_id"}},
		"no trade":           {`{"rule":` + tradeRule + `}`, []string{"/trade"}},
		"a trade of nobody":  {`{"rule":` + tradeRule + `,"trade":{}}`, []string{"/trade/sender_id", "/trade/receiver_id"}},
		"a trade as text":    {`{"rule":` + tradeRule + `,"trade":"x"}`, []string{"/trade"}},
		"neither":            {`{"rule":{}}`, []string{"/rule/on", "/rule/then"}},
		"a rule of no sense": {`{"rule":7}`, []string{"/rule"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := parse(t, test.body)
			ReadTry(o, "app", testNow)
			wantFields(t, o.Err(), test.pointers...)
		})
	}
	o := parse(t, `{"rule":`+tradeRule+`,"trade":{"sender_id":"p","receiver_id":"q","currency":{"type":"gold","amount":3}}}`)
	got := ReadTry(o, "app", testNow)
	if o.Err() != nil || got.Trade.Receiver != "q" || got.Trade.Deal.Money.Amount != 3 {
		t.Errorf("%+v, %v", got, o.Err())
	}
}

func TestReadSnoozeAndBacktest(t *testing.T) {
	for body, want := range map[string][]string{
		`{}`: {"/player_id", "/hours"}, `{"player_id":"p","hours":-1}`: {"/hours"}, `{"player_id":"p","hours":8761}`: {"/hours"}, `{"player_id":"p","hours":1.5}`: {"/hours"},
	} {
		_, err := ReadSnooze(parse(t, body))
		wantFields(t, err, want...)
	}
	for _, body := range []string{`{"from":"yesterday"}`, `{"from":7}`, `{"from":"1969-01-01T00:00:00Z"}`} {
		o := parse(t, body)
		ReadBacktest(o, "app")
		wantFields(t, o.Err(), "/from")
	}
	o := parse(t, `{"from":"2026-09-21T14:13:20Z","to":"2026-09-21T16:13:21.5+02:00"}`)
	if b := ReadBacktest(o, "app"); o.Err() != nil || b.From != 1790000000000 || b.To != 1790000001500 || b.Rule != nil {
		t.Errorf("%+v, %v", b, o.Err())
	}
}

func TestAppendBacktest(t *testing.T) {
	b := economy.Backtest{
		ID: "b1", Rule: "r", On: economy.OnTrade, Version: 2, State: economy.BacktestDone, From: 1790000000000, To: 1790000000000, Created: 1790000000000, Reached: 1790000000000,
		BacktestResult: economy.BacktestResult{
			Population: 4, HitThings: 2, RuleTally: economy.RuleTally{Evaluations: 4, Hits: 2, PassReview: 1}, Model: map[string]int64{"review": 1, "pass": 3}, Both: map[string]int64{},
			Days: []economy.BacktestDay{{Day: 20717, Evaluations: 4, Hits: 2}}, Sample: []economy.BacktestHit{{At: 1790000000000, Player: "p", Receiver: "q", TradeID: "t", LogID: "L", Score: 7}},
		},
	}
	const at = `"2026-09-21T14:13:20.000Z"`
	head := `"code":0,"request_id":"x","backtest_id":"b1","rule":"r","version":2,"from":` + at + `,"to":` + at + `,"reached":` + at + `,"created_at":` + at
	show := func() []byte {
		return AppendSuccess(nil, "x", func(dst []byte) []byte { return AppendBacktest(dst, &b) })
	}
	sameJSON(t, show(), []byte(`{`+head+`,"status":"done","result":{"population":4,"hit":2,"evaluations":4,"hits":2,"errors":0,"snoozed":0,
		"changes":{"pass_to_review":1,"pass_to_block":0,"review_to_block":0},"model":{"pass":3,"review":1},"both":{},"days":[{"day":"2026-09-21","evaluations":4,"hits":2}],
		"sample":[{"at":`+at+`,"sender_id":"p","receiver_id":"q","trade_id":"t","log_id":"L","risk_score":7}]}}`))
	b.State, b.Why = economy.BacktestFailed, "because"
	sameJSON(t, show(), []byte(`{`+head+`,"status":"failed","why":"because"}`))
}
