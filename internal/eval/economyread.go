package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// actor is a line of labels.jsonl: what a player is.
type actor struct {
	ID    string `json:"player_id"`
	Label int    `json:"label"` // 1 bad, 0 legitimate, 2 neither, -1 left out
	Arch  string `json:"arch"`
	Role  string `json:"role"`
	Kind  string `json:"kind"`
	Ring  string `json:"ring"`
	First int64  `json:"first_bad_ts"`
}

type streamMeta struct {
	Start int64 `json:"start_ms"`
	End   int64 `json:"end_ms"`
}

func readMeta(path string) (m streamMeta, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(text, &m)
}

func readLabels(path string) ([]actor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	var labels []actor
	d := json.NewDecoder(bufio.NewReader(f))
	for d.More() {
		var a actor
		if err := d.Decode(&a); err != nil {
			return nil, fmt.Errorf("label %d: %w", len(labels)+1, err)
		}
		labels = append(labels, a)
	}
	return labels, nil
}

// streamLine is a line of stream.jsonl.
type streamLine struct {
	Arrive float64         `json:"arrive"`
	Type   string          `json:"type"`
	Entry  json.RawMessage `json:"entry"`
}

type streamItem struct {
	ID    string `json:"item_id"`
	Count int64  `json:"count"`
	UID   string `json:"item_uid"`
}

type streamMoney struct {
	Type   string `json:"type"`
	Amount int64  `json:"amount"`
}

// streamEntry has the fields of all three logs.
type streamEntry struct {
	ID           string       `json:"log_id"`
	At           int64        `json:"timestamp"`
	Player       string       `json:"player_id"`
	Currency     string       `json:"currency_type"`
	Item         string       `json:"item_id"`
	Action       string       `json:"action"`
	Amount       int64        `json:"amount"`
	Balance      int64        `json:"balance_after"`
	Count        int64        `json:"count"`
	CountAfter   int64        `json:"count_after"`
	Source       string       `json:"source"`
	Counterparty string       `json:"counterparty_id"`
	Trade        string       `json:"trade_id"`
	UID          string       `json:"item_uid"`
	Order        string       `json:"order_id"`
	Device       string       `json:"device_id"`
	IP           string       `json:"ip"`
	Created      int64        `json:"account_created_at"`
	Sender       string       `json:"sender_id"`
	Receiver     string       `json:"receiver_id"`
	Items        []streamItem `json:"items"`
	Money        streamMoney  `json:"currency"`
	ReturnItems  []streamItem `json:"return_items"`
	ReturnMoney  streamMoney  `json:"return_currency"`
	TradeType    string       `json:"trade_type"`
	Status       string       `json:"status"`
}

// entry is the model's form of the line.
func (e *streamEntry) entry(kind string, strip bool) economy.Entry {
	r := economy.Entry{
		ID: e.ID, At: e.At, Player: engines.PlayerID(e.Player), Source: e.Source, Action: economy.Action(e.Action),
		Counterparty: engines.PlayerID(e.Counterparty), TradeID: e.Trade, ItemUID: e.UID, OrderID: e.Order,
		Device: e.Device, IP: e.IP, Created: e.Created,
	}
	if strip {
		r.Device, r.IP, r.Created = "", "", 0
		if kind == "currency" {
			r.Counterparty, r.TradeID, r.OrderID = "", "", ""
		}
	}
	switch kind {
	case "currency":
		r.Log, r.What, r.Amount, r.After = economy.Currency, e.Currency, e.Amount, e.Balance
	case "item":
		r.Log, r.What, r.Amount, r.After = economy.Item, e.Item, e.Count, e.CountAfter
	case "trade":
		r.Log, r.Player, r.Counterparty = economy.Trade, engines.PlayerID(e.Sender), engines.PlayerID(e.Receiver)
		d := e.deal()
		r.Deal = &d
	}
	return r
}

func (e *streamEntry) deal() economy.Deal {
	return economy.Deal{
		Items: stacks(e.Items), ReturnItems: stacks(e.ReturnItems), Money: economy.Money(e.Money), ReturnMoney: economy.Money(e.ReturnMoney),
		Type: e.TradeType, Status: e.Status,
	}
}

func stacks(items []streamItem) []economy.Stack {
	if len(items) == 0 {
		return nil
	}
	s := make([]economy.Stack, len(items))
	for i, it := range items {
		s[i] = economy.Stack{Item: it.ID, Count: it.Count, UID: it.UID}
	}
	return s
}

// probe is a trade that is about to happen.
type probe struct {
	At    int64           `json:"at"`
	Label int             `json:"label"`
	Arch  string          `json:"arch"`
	Body  json.RawMessage `json:"body"`
}

// streamBan is a ban that the stream asks for.
type streamBan struct {
	Player string `json:"player_id"`
	Type   string `json:"ban_type"`
	Hours  int64  `json:"duration_hours"`
	Reason string `json:"reason"`
}
