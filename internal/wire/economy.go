package wire

import (
	"math"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// CurrencyEntry is one entry of a currency log (service document, section 2.1).
type CurrencyEntry struct {
	LogID        string
	Timestamp    int64 // epoch ms
	Player       engines.PlayerID
	Currency     string
	Action       string
	Amount       int64
	BalanceAfter int64
	Source       string
}

// CurrencySubmission is a currency log submission. Rejected entries stand there
// only where the body asks for partial acceptance.
type CurrencySubmission struct {
	Entries  []CurrencyEntry
	Rejected []RejectedEntry
}

// RejectedEntry names an entry that was not stored, and why.
type RejectedEntry struct {
	Index  int
	LogID  string
	Faults []Field
}

// ahead is how far a clock may be ahead of ours; past it an entry is a fault.
const ahead = 5 * time.Minute

// ReadCurrencyLog reads a submission of app, at most most entries. A wrong entry
// fails the whole submission with every pointer, unless "partial" is true.
func ReadCurrencyLog(o *Object, app engines.AppID, most int, now time.Time) (CurrencySubmission, error) {
	var s CurrencySubmission
	if id := o.ID("app_id", true); id != "" && id != string(app) {
		o.Fault("app_id", "is not the app that signed")
	}
	partial := o.Bool("partial")
	if !o.Has("logs") {
		o.Fault("logs", "is required")
	}
	values, err := o.array("logs", most)
	if err != nil {
		return s, err
	}
	var faults []Field // of one entry
	list := &Object{at: o.Pointer("logs"), faults: &faults}
	for i, v := range values {
		faults = nil
		var e CurrencyEntry
		if entry := list.nested(strconv.Itoa(i), v); entry != nil {
			e = entry.currency(now)
		}
		switch {
		case len(faults) == 0:
			s.Entries = append(s.Entries, e)
		case partial:
			s.Rejected = append(s.Rejected, RejectedEntry{i, e.LogID, faults})
		default:
			*o.faults = append(*o.faults, faults...)
		}
	}
	return s, o.Err()
}

func (o *Object) currency(now time.Time) CurrencyEntry {
	e := CurrencyEntry{
		LogID:    o.ID("log_id", true),
		Player:   engines.PlayerID(o.ID("player_id", true)),
		Currency: o.ID("currency_type", true),
		Action:   o.ID("action", true),
		Source:   o.ID("source", false),
	}
	e.Timestamp = o.timestamp(now)
	e.Amount = o.must("amount", 0)
	e.BalanceAfter = o.must("balance_after", math.MinInt64)
	return e
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
	case len(strconv.FormatInt(ms, 10)) != 13:
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
