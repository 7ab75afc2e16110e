package wire

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
)

// Part appends an object whose members each appends, as Str, Num and Flag do.
func Part(dst []byte, name string, members func(dst []byte) []byte) []byte {
	dst = append(append(append(dst, ',', '"'), name...), `":{`...)
	at := len(dst)
	if dst = members(dst); len(dst) > at && dst[at] == ',' { // the comma in front of the first member
		dst = slices.Delete(dst, at, at+1)
	}
	return append(dst, '}')
}

// Real appends a finite number with a fraction.
func Real(dst []byte, name string, x float64) []byte {
	dst = append(append(append(dst, ',', '"'), name...), '"', ':')
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}

// AppendRule appends a rule.
func AppendRule(dst []byte, r *economy.Rule) []byte {
	dst = Num(Str(dst, "name", r.Name), "version", int64(r.Version))
	dst = Str(Str(Str(dst, "state", string(r.State)), "on", string(r.On)), "when", r.When)
	dst = Part(dst, "then", func(dst []byte) []byte {
		dst = Some(dst, "suggestion", string(r.Then.Suggestion))
		return numSome(numSome(dst, "factor", r.Then.Factor), "score", r.Then.Score)
	})
	dst = Part(dst, "text", func(dst []byte) []byte {
		return Some(Some(Some(Some(dst, "en", r.Text.English), "ja", r.Text.Japanese), "zh", r.Text.Chinese), "ko", r.Text.Korean)
	})
	dst = Str(Some(Some(dst, "comment", r.Comment), "author", r.Author), "by", r.By)
	dst = When(dst, "changed_at", time.UnixMilli(r.Changed))
	for _, l := range []struct {
		name string
		list []economy.RuleCase
	}{{"must_hit", r.MustHit}, {"must_pass", r.MustPass}} {
		if len(l.list) > 0 {
			dst = List(dst, l.name, len(l.list), func(dst []byte, i int) []byte { return appendCase(dst, r.On, &l.list[i]) })
		}
	}
	return dst
}

func numSome(dst []byte, name string, n int) []byte {
	if n == 0 {
		return dst
	}
	return Num(dst, name, int64(n))
}

func realSome(dst []byte, name string, x float64) []byte {
	if x == 0 {
		return dst
	}
	return Real(dst, name, x)
}

func appendCase(dst []byte, on economy.RuleSubject, c *economy.RuleCase) []byte {
	if on == economy.OnPlayer {
		return appendFeatures(dst, &c.Player)
	}
	dst = Part(dst, "trade", func(dst []byte) []byte {
		dst = numSome(appendDeal(dst, &c.Deal), "score", c.Score)
		return appendStrings(dst, "reasons", c.Reasons)
	})
	dst = Part(dst, "sender", func(dst []byte) []byte { return appendFeatures(dst, &c.Sender) })
	return Part(dst, "receiver", func(dst []byte) []byte { return appendFeatures(dst, &c.Receiver) })
}

// appendStrings appends an array of strings, nothing for none.
func appendStrings(dst []byte, name string, list []string) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(append(append(dst, ',', '"'), name...), `":[`...)
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

func appendFeatures(dst []byte, f *economy.Features) []byte {
	dst = numSome(dst, "score", f.Score)
	if len(f.Factors) > 0 {
		dst = append(dst, `,"factors":{`...)
		for i, x := range f.Factors {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendInt(append(appendString(dst, x.Code), ':'), int64(x.Score))
		}
		dst = append(dst, '}')
	}
	dst = Real(dst, "account_age_days", f.AccountAge)
	dst = numSome(numSome(dst, "active_days", f.ActiveDays), "partners", f.Partners)
	dst = numSome(numSome(numSome(dst, "givers", f.Givers), "takers", f.Takers), "shared_devices", f.Shared)
	dst = realSome(realSome(realSome(realSome(dst, "got", f.Got), "gave", f.Gave), "free_got", f.FreeGot), "free_gave", f.FreeGave)
	dst = appendWindows(dst, "trades", func(i int) float64 { return float64(f.Trades[i]) })
	if len(f.Flows) == 0 {
		return dst
	}
	return List(dst, "flows", len(f.Flows), func(dst []byte, i int) []byte {
		flow := &f.Flows[i]
		dst = Some(Some(dst, "currency", flow.What), "source", flow.Source)
		dst = appendWindows(dst, "in", func(i int) float64 { return flow.In[i] })
		dst = appendWindows(dst, "out", func(i int) float64 { return flow.Out[i] })
		dst = appendWindows(dst, "entries_in", func(i int) float64 { return float64(flow.Ins[i]) })
		return appendWindows(dst, "entries_out", func(i int) float64 { return float64(flow.Outs[i]) })
	})
}

// appendWindows appends an object of windows, nothing where all are 0.
func appendWindows(dst []byte, name string, of func(i int) float64) []byte {
	if of(len(windowNames)-1) == 0 {
		return dst
	}
	return Part(dst, name, func(dst []byte) []byte {
		for i, window := range windowNames {
			dst = Real(dst, window, of(i))
		}
		return dst
	})
}

// AppendRules appends rules, and the codes that they show up with as the catalogue
// has its own.
func AppendRules(dst []byte, list []economy.Rule) []byte {
	dst = List(dst, "rules", len(list), func(dst []byte, i int) []byte { return AppendRule(dst, &list[i]) })
	codes := make([]economy.Code, len(list))
	for i := range list {
		r := &list[i]
		codes[i] = economy.Code{ID: economy.RulePrefix + r.Name, Hard: r.Then.Suggestion == "block", Since: r.Version, Text: r.Text}
	}
	return AppendCatalogue(dst, codes)
}

func appendTally(dst []byte, on economy.RuleSubject, t *economy.RuleTally) []byte {
	dst = Num(Num(Num(dst, "evaluations", t.Evaluations), "hits", t.Hits), "errors", t.Errors)
	return Part(Num(dst, "snoozed", t.Snoozed), "changes", func(dst []byte) []byte {
		if on == economy.OnPlayer {
			return Num(dst, "level_raised", t.Raised)
		}
		return Num(Num(Num(dst, "pass_to_review", t.PassReview), "pass_to_block", t.PassBlock), "review_to_block", t.ReviewBlock)
	})
}

func appendDay(dst []byte, day int64) []byte {
	return Str(dst, "day", time.UnixMilli(day*24*time.Hour.Milliseconds()).UTC().Format(time.DateOnly))
}

// AppendRuleStats appends what a rule did, by version and day, and how many players it
// leaves out now.
func AppendRuleStats(dst []byte, r *economy.Rule, counts []economy.RuleCount, snoozed int) []byte {
	dst = Num(Str(dst, "name", r.Name), "version", int64(r.Version))
	dst = Num(Str(dst, "state", string(r.State)), "snoozed_players", int64(snoozed))
	return List(dst, "days", len(counts), func(dst []byte, i int) []byte {
		c := &counts[i]
		return appendTally(Num(appendDay(dst, c.Day), "version", int64(c.Version)), r.On, &c.RuleTally)
	})
}

// AppendBacktest appends a back-test, with its result once it is done.
func AppendBacktest(dst []byte, b *economy.Backtest) []byte {
	on := b.On
	dst = Str(Str(Str(dst, "backtest_id", b.ID), "rule", b.Rule), "status", string(b.State))
	dst = numSome(dst, "version", b.Version)
	dst = When(When(dst, "from", time.UnixMilli(b.From)), "to", time.UnixMilli(b.To))
	if b.Reached != 0 {
		dst = When(dst, "reached", time.UnixMilli(b.Reached))
	}
	dst = Some(When(dst, "created_at", time.UnixMilli(b.Created)), "why", b.Why)
	if b.State != economy.BacktestDone {
		return dst
	}
	return Part(dst, "result", func(dst []byte) []byte {
		dst = Num(Num(dst, "population", b.Population), "hit", b.HitThings)
		dst = appendTally(dst, on, &b.RuleTally)
		dst = appendCounts(appendCounts(dst, "model", b.Model), "both", b.Both)
		dst = List(dst, "days", len(b.Days), func(dst []byte, i int) []byte {
			d := b.Days[i]
			return Num(Num(appendDay(dst, d.Day), "evaluations", d.Evaluations), "hits", d.Hits)
		})
		return List(dst, "sample", len(b.Sample), func(dst []byte, i int) []byte {
			h := &b.Sample[i]
			dst = When(dst, "at", time.UnixMilli(h.At))
			if on == economy.OnPlayer {
				return Num(Str(dst, "player_id", string(h.Player)), "risk_score", int64(h.Score))
			}
			dst = Str(Str(dst, "sender_id", string(h.Player)), "receiver_id", string(h.Receiver))
			return Num(Str(Str(dst, "trade_id", h.TradeID), "log_id", h.LogID), "risk_score", int64(h.Score))
		})
	})
}

func appendCounts(dst []byte, name string, counts map[string]int64) []byte {
	return Part(dst, name, func(dst []byte) []byte {
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			dst = Num(dst, key, counts[key])
		}
		return dst
	})
}

// AppendTrial appends what a rule would do.
func AppendTrial(dst []byte, on economy.RuleSubject, t *economy.RuleTrial) []byte {
	dst = Some(Flag(dst, "hit", t.Hit), "why", t.Why)
	part := func(name string, r *economy.Risk, e *economy.Evaluation) {
		dst = Part(dst, name, func(dst []byte) []byte {
			if on == economy.OnPlayer {
				return appendScore(dst, r)
			}
			return AppendEvaluation(dst, e)
		})
	}
	part("model", &t.Risk, &t.Evaluation)
	part("with_rule", &t.RiskWith, &t.EvaluationWith)
	return dst
}
