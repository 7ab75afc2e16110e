package wire

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// LogSubmission is a log submission. Rejected entries stand there only where the
// body asks for partial acceptance.
type LogSubmission struct {
	Entries  []economy.Entry
	Rejected []RejectedEntry
}

// RejectedEntry names an entry that was not stored, and why.
type RejectedEntry struct {
	Index  int
	LogID  string
	Faults []Field
}

const (
	// ahead is how far a clock may be ahead of ours; past it an entry is a fault.
	ahead = 5 * time.Minute
	// stacksAtMost bounds the items of one trade.
	stacksAtMost = 1000
)

// ReadLog reads a submission of app to one log, at most most entries. A wrong entry
// fails the whole submission with every pointer, unless "partial" is true.
func ReadLog(o *Object, app engines.AppID, log economy.Log, most int, now time.Time) (LogSubmission, error) {
	var s LogSubmission
	o.ownApp(app, true)
	partial := o.Bool("partial")
	if !o.Has("logs") {
		o.Fault("logs", "is required")
	}
	o.keep("logs") // a gateway reads hundreds of them at once, and nobody keeps them
	values, err := o.array("logs", most)
	if err != nil {
		return s, err
	}
	var faults []Field // of one entry
	list, entry := o.list("logs"), &Object{}
	list.faults, list.own = &faults, true
	s.Entries = make([]economy.Entry, 0, len(values))
	for i, v := range values {
		faults = nil
		var e economy.Entry
		if list.into(entry, strconv.Itoa(i), v) {
			e = entry.entry(log, now)
		}
		switch {
		case len(faults) == 0:
			s.Entries = append(s.Entries, e)
		case partial:
			s.Rejected = append(s.Rejected, RejectedEntry{i, e.ID, faults})
		default:
			*o.faults = append(*o.faults, faults...)
		}
	}
	return s, o.Err()
}

// ownApp wants an app_id that stands to be the signer's.
func (o *Object) ownApp(app engines.AppID, required bool) {
	if id := o.ID("app_id", required); id != "" && id != string(app) {
		o.Fault("app_id", "is not the app that signed")
	}
}

func (o *Object) entry(log economy.Log, now time.Time) economy.Entry {
	e := economy.Entry{Log: log, ID: o.ID("log_id", true)}
	switch log {
	case economy.Currency:
		o.movement(&e, "currency_type", "amount", 0)
		e.After = o.must("balance_after", math.MinInt64)
	case economy.Item:
		o.movement(&e, "item_id", "count", 1)
		e.After = o.must("count_after", 0)
		e.ItemUID = o.ID("item_uid", false)
	case economy.Trade:
		e.TradeID = o.ID("trade_id", true)
		e.Player, e.Counterparty = o.sides()
		deal := o.deal()
		deal.Status = o.oneOf("status", tradeStatuses)
		e.Deal = &deal
	}
	e.At = o.timestamp(now)
	e.Device, e.IP = o.ID("device_id", false), o.ID("ip", false)
	e.Created, _ = o.Int("account_created_at", 0, math.MaxInt64)
	return e
}

var tradeStatuses = []string{"completed", "cancelled", "reversed"}

// movement reads what currency and item entries have in common.
func (o *Object) movement(e *economy.Entry, what, amount string, least int64) {
	e.Player = engines.PlayerID(o.ID("player_id", true))
	e.What = o.ID(what, true)
	e.Action = economy.Action(o.ID("action", true))
	if e.Action != "" && e.Action.Sign(e.Log) == 0 {
		o.Fault("action", "must be one of "+actionsOf[e.Log])
	}
	e.Amount = o.must(amount, least)
	e.Source = o.ID("source", false)
	e.TradeID, e.OrderID = o.ID("trade_id", false), o.ID("order_id", false)
	e.Counterparty = engines.PlayerID(o.ID("counterparty_id", false))
	if e.Counterparty != "" && e.Counterparty == e.Player {
		o.Fault("counterparty_id", "is the player itself")
	}
}

// actionsOf lists the actions of a log, for who used another.
var actionsOf = func() map[economy.Log]string {
	lists := map[economy.Log]string{}
	for _, log := range []economy.Log{economy.Currency, economy.Item} {
		var known []string
		for _, a := range []economy.Action{
			economy.Earn, economy.Acquire, economy.TransferIn, economy.Purchase, economy.Grant,
			economy.Spend, economy.Consume, economy.Destroy, economy.TransferOut, economy.Chargeback, economy.Revoke,
		} {
			if a.Sign(log) != 0 {
				known = append(known, string(a))
			}
		}
		lists[log] = strings.Join(known, ", ")
	}
	return lists
}()

// sides reads the two players of a trade.
func (o *Object) sides() (sender, receiver engines.PlayerID) {
	sender, receiver = engines.PlayerID(o.ID("sender_id", true)), engines.PlayerID(o.ID("receiver_id", true))
	if sender != "" && sender == receiver {
		o.Fault("receiver_id", "is the sender itself")
	}
	return sender, receiver
}

// deal reads what changes hands; all of it is optional.
func (o *Object) deal() economy.Deal {
	return economy.Deal{
		Items: o.stacks("items"), ReturnItems: o.stacks("return_items"),
		Money: o.money("currency"), ReturnMoney: o.money("return_currency"),
		Type: o.ID("trade_type", false),
	}
}

func (o *Object) stacks(name string) []economy.Stack {
	var list []economy.Stack
	err := o.Each(name, stacksAtMost, func(_ int, in *Object) {
		list = append(list, economy.Stack{Item: in.ID("item_id", true), Count: in.must("count", 1), UID: in.ID("item_uid", false)})
	})
	if err != nil {
		o.Fault(name, "at most "+strconv.Itoa(stacksAtMost)+" entries")
	}
	return list
}

func (o *Object) money(name string) economy.Money {
	in := o.Object(name)
	if in == nil {
		return economy.Money{}
	}
	return economy.Money{Type: in.ID("type", true), Amount: in.must("amount", 0)}
}

// oneOf reads a string that is one of list, "" where it is absent.
func (o *Object) oneOf(name string, list []string) string {
	s, ok := o.Text(name)
	if !ok {
		return ""
	}
	for _, one := range list {
		if s == one {
			return one
		}
	}
	o.Fault(name, "must be one of "+strings.Join(list, ", "))
	return ""
}

// must reads an integer that has to stand.
func (o *Object) must(name string, low int64) int64 {
	if !o.Has(name) {
		o.Fault(name, "is required")
		return 0
	}
	n, _ := o.Int(name, low, math.MaxInt64)
	return n
}

// timestamp reads epoch milliseconds: thirteen digits, and not from the future.
func (o *Object) timestamp(now time.Time) int64 {
	if !o.Has("timestamp") {
		o.Fault("timestamp", "is required")
		return 0
	}
	ms, ok := o.Int("timestamp", 0, math.MaxInt64)
	switch {
	case !ok:
	case ms < 1e12 || ms >= 1e13:
		o.Fault("timestamp", "must be epoch milliseconds: thirteen digits")
	case ms > now.Add(ahead).UnixMilli():
		o.Fault("timestamp", "lies more than five minutes ahead")
	default:
		return ms
	}
	return 0
}

// AppendLogAnswer appends a log submission's answer beyond its request_id.
func AppendLogAnswer(dst []byte, accepted, duplicates int, rejected []RejectedEntry) []byte {
	dst = Num(Num(dst, "accepted", int64(accepted)), "duplicates", int64(duplicates))
	if len(rejected) == 0 {
		return dst
	}
	return List(dst, "rejected", len(rejected), func(dst []byte, i int) []byte {
		r := rejected[i]
		dst = Str(Num(dst, "index", int64(r.Index)), "log_id", r.LogID)
		return List(dst, "errors", len(r.Faults), func(dst []byte, j int) []byte {
			return Str(Str(dst, "pointer", r.Faults[j].Pointer), "reason", r.Faults[j].Reason)
		})
	})
}
