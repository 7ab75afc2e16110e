package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// ReadProposal reads a trade evaluation (service document, section 2.4, and what
// WIRE.md adds).
func ReadProposal(o *Object, app engines.AppID, now time.Time) (economy.Proposal, error) {
	o.ownApp(app, false)
	p := o.proposal(now)
	return p, o.Err()
}

func (o *Object) proposal(now time.Time) (p economy.Proposal) {
	p.Sender, p.Receiver = o.sides()
	p.Deal = o.deal()
	p.Device, p.IP = o.ID("device_id", false), o.ID("ip", false)
	if o.Has("timestamp") {
		p.At = o.timestamp(now)
	}
	return p
}

// AppendRisk appends a player's risk (service document, section 2.3) and the bans
// that hold.
func AppendRisk(dst []byte, player engines.PlayerID, r *economy.Risk, bans []economy.Ban) []byte {
	dst = appendScore(Str(dst, "player_id", string(player)), r)
	dst = When(dst, "last_updated", time.UnixMilli(r.Updated))
	if r.Override != nil {
		dst = Obj(dst, "override", func(dst []byte) []byte { return AppendOverride(dst, r.Override) })
	}
	return List(dst, "bans", len(bans), func(dst []byte, i int) []byte {
		b := &bans[i]
		return ends(Str(Str(Str(dst, "ban_id", b.ID), "ban_type", string(b.Type)), "reason", b.Reason), b)
	})
}

// AppendOverride appends what an operator has set of a player's risk.
func AppendOverride(dst []byte, o *economy.Override) []byte {
	return Str(Str(When(Num(dst, "score", int64(o.Score)), "until", time.UnixMilli(o.Until)), "by", o.By), "reason", o.Reason)
}

// OverrideRequest sets a player's risk for Hours, 0 taking that back.
type OverrideRequest struct {
	Score  int64
	Hours  int64
	Reason string
}

// ReadOverride reads an override.
func ReadOverride(o *Object, app engines.AppID) (OverrideRequest, error) {
	o.ownApp(app, false)
	var r OverrideRequest
	for _, name := range []string{"hours", "reason"} {
		if !o.Has(name) {
			o.Fault(name, "is required")
		}
	}
	r.Hours, _ = o.Int("hours", 0, maxBanHours)
	if r.Hours > 0 && !o.Has("score") {
		o.Fault("score", "is required")
	}
	r.Score, _ = o.Int("score", 0, 100)
	r.Reason = o.Label("reason", false)
	return r, o.Err()
}

// appendScore appends a risk's score, level and factors.
func appendScore(dst []byte, r *economy.Risk) []byte {
	dst = Str(Num(dst, "risk_score", int64(r.Score)), "risk_level", string(r.Level))
	return List(dst, "risk_factors", len(r.Factors), func(dst []byte, i int) []byte {
		return Num(Str(dst, "factor", r.Factors[i].Code), "score", int64(r.Factors[i].Score))
	})
}

// AppendEvaluation appends a trade's evaluation (service document, section 2.5).
func AppendEvaluation(dst []byte, e *economy.Evaluation) []byte {
	dst = Num(Str(dst, "suggestion", string(e.Suggestion)), "risk_score", int64(e.Score))
	dst = append(dst, `,"reasons":[`...)
	for i, r := range e.Reasons {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, r)
	}
	return append(dst, ']')
}

// AppendWeb appends who gave what to whom around a player.
func AppendWeb(dst []byte, player engines.PlayerID, w *economy.Web) []byte {
	dst = When(Str(dst, "player_id", string(player)), "at", time.UnixMilli(w.At))
	dst = List(dst, "players", len(w.Players), func(dst []byte, i int) []byte {
		p := &w.Players[i]
		dst = appendScore(Num(Str(dst, "player_id", string(p.Player)), "hops", int64(p.Hops)), &p.Risk)
		return Some(dst, "banned", string(p.Banned))
	})
	dst = List(dst, "gifts", len(w.Gifts), func(dst []byte, i int) []byte {
		g := &w.Gifts[i]
		dst = Real(Real(Str(Str(dst, "from", string(g.From)), "to", string(g.To)), "gave", g.Gave), "free", g.Free)
		return When(When(Num(dst, "times", int64(g.Times)), "first_at", time.UnixMilli(g.First)), "last_at", time.UnixMilli(g.Last))
	})
	dst = List(dst, "shares", len(w.Shares), func(dst []byte, i int) []byte {
		x := &w.Shares[i]
		dst = Num(Str(Str(dst, "player_id", string(x.Player)), "by", x.By), "accounts", int64(x.Seats))
		return Some(When(When(dst, "first_seen_at", time.UnixMilli(x.First)), "last_seen_at", time.UnixMilli(x.Last)), "banned", string(x.Banned))
	})
	return Num(dst, "left_out", int64(w.Left))
}

// AppendTimeline appends a page of a player's entries, newest first.
func AppendTimeline(dst []byte, player engines.PlayerID, entries []economy.Entry) []byte {
	dst = Str(dst, "player_id", string(player))
	return List(dst, "entries", len(entries), func(dst []byte, i int) []byte { return AppendEntry(dst, &entries[i]) })
}

// AppendEntry appends an entry under the names that it came with.
func AppendEntry(dst []byte, e *economy.Entry) []byte {
	dst = Num(Str(Str(dst, "log", e.Log.String()), "log_id", e.ID), "timestamp", e.At)
	switch e.Log {
	case economy.Currency:
		dst = Str(Str(dst, "currency_type", e.What), "action", string(e.Action))
		dst = Num(Num(dst, "amount", e.Amount), "balance_after", e.After)
	case economy.Item:
		dst = Str(Str(dst, "item_id", e.What), "action", string(e.Action))
		dst = Num(Num(dst, "count", e.Amount), "count_after", e.After)
	case economy.Trade:
		dst = Str(Str(dst, "sender_id", string(e.Player)), "receiver_id", string(e.Counterparty))
	case economy.Advert:
		dst = Str(dst, "sub_label", e.What)
	}
	dst = Some(Some(dst, "source", e.Source), "trade_id", e.TradeID)
	if e.Log != economy.Trade {
		dst = Some(dst, "counterparty_id", string(e.Counterparty))
	}
	dst = Some(Some(dst, "item_uid", e.ItemUID), "order_id", e.OrderID)
	dst = Some(Some(dst, "device_id", e.Device), "ip", e.IP)
	if e.Created != 0 {
		dst = Num(dst, "account_created_at", e.Created)
	}
	if e.Deal != nil {
		dst = appendDeal(dst, e.Deal)
	}
	return dst
}

func appendDeal(dst []byte, d *economy.Deal) []byte {
	dst = appendStacks(dst, "items", d.Items)
	if len(d.ReturnItems) > 0 {
		dst = appendStacks(dst, "return_items", d.ReturnItems)
	}
	dst = appendMoney(appendMoney(dst, "currency", d.Money), "return_currency", d.ReturnMoney)
	return Some(Some(dst, "trade_type", d.Type), "status", d.Status)
}

func appendStacks(dst []byte, name string, list []economy.Stack) []byte {
	return List(dst, name, len(list), func(dst []byte, i int) []byte {
		return Some(Num(Str(dst, "item_id", list[i].Item), "count", list[i].Count), "item_uid", list[i].UID)
	})
}

func appendMoney(dst []byte, name string, m economy.Money) []byte {
	if m.Type == "" {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":{"type":`...)
	return append(Num(appendString(dst, m.Type), "amount", m.Amount), '}')
}

// Some appends a string member that is not empty.
func Some(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return Str(dst, name, value)
}

// AppendCatalogue appends the catalogue of factors and reasons.
func AppendCatalogue(dst []byte, codes []economy.Code) []byte {
	return List(dst, "codes", len(codes), func(dst []byte, i int) []byte {
		c := &codes[i]
		dst = Num(Flag(Flag(Str(dst, "code", c.ID), "hard", c.Hard), "lowers", c.Lowers), "since", int64(c.Since))
		return Str(Str(Str(Str(dst, "en", c.English), "ja", c.Japanese), "zh", c.Chinese), "ko", c.Korean)
	})
}
