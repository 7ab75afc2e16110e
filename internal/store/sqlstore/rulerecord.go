package sqlstore

import (
	"encoding/json"
	"fmt"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// The stored form of a rule and of a back-test's result. As in record.go, a field
// that is added to a word does not compile here until somebody has thought about
// what is on disk already.
type (
	ruleRecord struct {
		When     string          `json:"when"`
		Then     effectRecord    `json:"then"`
		Text     textRecord      `json:"text,omitzero"`
		Comment  string          `json:"comment,omitempty"`
		MustHit  []exampleRecord `json:"must_hit,omitempty"`
		MustPass []exampleRecord `json:"must_pass,omitempty"`
	}
	effectRecord struct {
		Factor     int                `json:"factor,omitempty"`
		Suggestion engines.Suggestion `json:"suggestion,omitempty"`
		Score      int                `json:"score,omitempty"`
	}
	textRecord struct {
		English  string `json:"en,omitempty"`
		Japanese string `json:"ja,omitempty"`
		Chinese  string `json:"zh,omitempty"`
		Korean   string `json:"ko,omitempty"`
	}
	exampleRecord struct {
		Player   *featuresRecord `json:"player,omitempty"`
		Deal     *dealRecord     `json:"deal,omitempty"`
		Score    int             `json:"score,omitempty"`
		Reasons  []string        `json:"reasons,omitempty"`
		Sender   *featuresRecord `json:"sender,omitempty"`
		Receiver *featuresRecord `json:"receiver,omitempty"`
	}
	featuresRecord struct {
		Score      int                `json:"score,omitempty"`
		Factors    []factorRecord     `json:"factors,omitempty"`
		AccountAge float64            `json:"account_age"`
		ActiveDays int                `json:"active_days,omitempty"`
		Partners   int                `json:"partners,omitempty"`
		Givers     int                `json:"givers,omitempty"`
		Takers     int                `json:"takers,omitempty"`
		Shared     int                `json:"shared,omitempty"`
		Trades     [economy.Spans]int `json:"trades"`
		Got        float64            `json:"got,omitempty"`
		Gave       float64            `json:"gave,omitempty"`
		FreeGot    float64            `json:"free_got,omitempty"`
		FreeGave   float64            `json:"free_gave,omitempty"`
		Flows      []flowRecord       `json:"flows,omitempty"`
	}
	factorRecord struct {
		Code  string `json:"code"`
		Score int    `json:"score"`
	}
	flowRecord struct {
		What   string                 `json:"what,omitempty"`
		Source string                 `json:"source,omitempty"`
		In     [economy.Spans]float64 `json:"in"`
		Out    [economy.Spans]float64 `json:"out"`
		Ins    [economy.Spans]int     `json:"ins"`
		Outs   [economy.Spans]int     `json:"outs"`
	}
	resultRecord struct {
		Population int64            `json:"population"`
		HitThings  int64            `json:"hit_things"`
		RuleTally  tallyRecord      `json:"tally"`
		Model      map[string]int64 `json:"model,omitempty"`
		Both       map[string]int64 `json:"both,omitempty"`
		Days       []dayRecord      `json:"days,omitempty"`
		Sample     []hitRecord      `json:"sample,omitempty"`
	}
	tallyRecord struct {
		Evaluations int64 `json:"evaluations"`
		Hits        int64 `json:"hits"`
		Errors      int64 `json:"errors"`
		Snoozed     int64 `json:"snoozed"`
		PassReview  int64 `json:"pass_review"`
		PassBlock   int64 `json:"pass_block"`
		ReviewBlock int64 `json:"review_block"`
		Raised      int64 `json:"raised"`
	}
	dayRecord struct {
		Day         int64 `json:"day"`
		Evaluations int64 `json:"evaluations"`
		Hits        int64 `json:"hits"`
	}
	hitRecord struct {
		At       int64            `json:"at"`
		Player   engines.PlayerID `json:"player"`
		Receiver engines.PlayerID `json:"receiver,omitempty"`
		TradeID  string           `json:"trade,omitempty"`
		LogID    string           `json:"log,omitempty"`
		Score    int              `json:"score"`
	}
)

// each converts a list, nil for none.
func each[A, B any](list []A, f func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, one := range list {
		out[i] = f(one)
	}
	return out
}

func encodeRule(r *economy.Rule) (string, error) {
	b, err := json.Marshal(ruleRecord{
		When: r.When, Then: effectRecord(r.Then), Text: textRecord(r.Text), Comment: r.Comment,
		MustHit: each(r.MustHit, caseToRecord), MustPass: each(r.MustPass, caseToRecord),
	})
	if err != nil {
		return "", fmt.Errorf("encode: %w", err)
	}
	return string(b), nil
}

func decodeRule(r *economy.Rule, body string) error {
	var rec ruleRecord
	if err := json.Unmarshal([]byte(body), &rec); err != nil {
		return err
	}
	r.When, r.Then, r.Text, r.Comment = rec.When, economy.RuleEffect(rec.Then), economy.Text(rec.Text), rec.Comment
	r.MustHit, r.MustPass = each(rec.MustHit, exampleRecord.ruleCase), each(rec.MustPass, exampleRecord.ruleCase)
	return nil
}

func caseToRecord(c economy.RuleCase) exampleRecord {
	return exampleRecord{
		Player: featuresToRecord(c.Player), Deal: dealToRecord(&c.Deal), Score: c.Score, Reasons: c.Reasons,
		Sender: featuresToRecord(c.Sender), Receiver: featuresToRecord(c.Receiver),
	}
}

func (r exampleRecord) ruleCase() economy.RuleCase {
	c := economy.RuleCase{Player: r.Player.features(), Score: r.Score, Reasons: r.Reasons, Sender: r.Sender.features(), Receiver: r.Receiver.features()}
	if r.Deal != nil {
		c.Deal = r.Deal.deal()
	}
	return c
}

func featuresToRecord(f economy.Features) *featuresRecord {
	return &featuresRecord{
		Score: f.Score, Factors: each(f.Factors, func(x economy.Factor) factorRecord { return factorRecord(x) }), AccountAge: f.AccountAge,
		ActiveDays: f.ActiveDays, Partners: f.Partners, Givers: f.Givers, Takers: f.Takers, Shared: f.Shared, Trades: f.Trades,
		Got: f.Got, Gave: f.Gave, FreeGot: f.FreeGot, FreeGave: f.FreeGave,
		Flows: each(f.Flows, func(x economy.Flow) flowRecord { return flowRecord(x) }),
	}
}

func (r *featuresRecord) features() economy.Features {
	if r == nil {
		return economy.Features{}
	}
	return economy.Features{
		Score: r.Score, Factors: each(r.Factors, func(x factorRecord) economy.Factor { return economy.Factor(x) }), AccountAge: r.AccountAge,
		ActiveDays: r.ActiveDays, Partners: r.Partners, Givers: r.Givers, Takers: r.Takers, Shared: r.Shared, Trades: r.Trades,
		Got: r.Got, Gave: r.Gave, FreeGot: r.FreeGot, FreeGave: r.FreeGave,
		Flows: each(r.Flows, func(x flowRecord) economy.Flow { return economy.Flow(x) }),
	}
}

func encodeResult(r *economy.BacktestResult) (string, error) {
	b, err := json.Marshal(resultRecord{
		Population: r.Population, HitThings: r.HitThings, RuleTally: tallyRecord(r.RuleTally), Model: r.Model, Both: r.Both,
		Days:   each(r.Days, func(d economy.BacktestDay) dayRecord { return dayRecord(d) }),
		Sample: each(r.Sample, func(h economy.BacktestHit) hitRecord { return hitRecord(h) }),
	})
	return string(b), err
}

func decodeResult(r *economy.BacktestResult, body string) error {
	var rec resultRecord
	if err := json.Unmarshal([]byte(body), &rec); err != nil {
		return err
	}
	*r = economy.BacktestResult{
		Population: rec.Population, HitThings: rec.HitThings, RuleTally: economy.RuleTally(rec.RuleTally), Model: rec.Model, Both: rec.Both,
		Days:   each(rec.Days, func(d dayRecord) economy.BacktestDay { return economy.BacktestDay(d) }),
		Sample: each(rec.Sample, func(h hitRecord) economy.BacktestHit { return economy.BacktestHit(h) }),
	}
	return nil
}
