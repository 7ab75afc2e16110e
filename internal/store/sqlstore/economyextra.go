package sqlstore

import (
	"database/sql"
	"encoding/json"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// What few entries have is one column of JSON, NULL where they have none of it. As
// in record.go, a field that is added to a word does not compile here until
// somebody has thought about what is on disk already.
type (
	extraRecord struct {
		Counterparty engines.PlayerID `json:"cp,omitempty"`
		TradeID      string           `json:"trade,omitempty"`
		ItemUID      string           `json:"uid,omitempty"`
		OrderID      string           `json:"order,omitempty"`
		Created      int64            `json:"created,omitempty"`
		Deal         *dealRecord      `json:"deal,omitempty"`
	}
	dealRecord struct {
		Items       []stackRecord `json:"items,omitempty"`
		ReturnItems []stackRecord `json:"return_items,omitempty"`
		Money       moneyRecord   `json:"money,omitzero"`
		ReturnMoney moneyRecord   `json:"return_money,omitzero"`
		Type        string        `json:"type,omitempty"`
		Status      string        `json:"status,omitempty"`
	}
	stackRecord struct {
		Item  string `json:"item"`
		Count int64  `json:"n"`
		UID   string `json:"uid,omitempty"`
	}
	moneyRecord struct {
		Type   string `json:"type"`
		Amount int64  `json:"n"`
	}
)

func stackRecords(list []economy.Stack) []stackRecord {
	out := make([]stackRecord, len(list))
	for i, s := range list {
		out[i] = stackRecord(s)
	}
	return out
}

func stacks(list []stackRecord) []economy.Stack {
	if len(list) == 0 {
		return nil
	}
	out := make([]economy.Stack, len(list))
	for i, r := range list {
		out[i] = economy.Stack(r)
	}
	return out
}

func encodeExtra(e *economy.Entry) (sql.NullString, error) {
	r := extraRecord{Counterparty: e.Counterparty, TradeID: e.TradeID, ItemUID: e.ItemUID, OrderID: e.OrderID, Created: e.Created}
	if e.Deal != nil {
		r.Deal = dealToRecord(e.Deal)
	}
	if r == (extraRecord{}) {
		return sql.NullString{}, nil
	}
	b, err := json.Marshal(r)
	return sql.NullString{String: string(b), Valid: true}, err
}

func decodeExtra(e *economy.Entry, extra sql.NullString) error {
	if !extra.Valid {
		return nil
	}
	var r extraRecord
	if err := json.Unmarshal([]byte(extra.String), &r); err != nil {
		return err
	}
	e.Counterparty, e.TradeID, e.ItemUID, e.OrderID, e.Created = r.Counterparty, r.TradeID, r.ItemUID, r.OrderID, r.Created
	if r.Deal != nil {
		d := r.Deal.deal()
		e.Deal = &d
	}
	return nil
}

func dealToRecord(d *economy.Deal) *dealRecord {
	return &dealRecord{
		Items: stackRecords(d.Items), ReturnItems: stackRecords(d.ReturnItems),
		Money: moneyRecord(d.Money), ReturnMoney: moneyRecord(d.ReturnMoney), Type: d.Type, Status: d.Status,
	}
}

func (d *dealRecord) deal() economy.Deal {
	return economy.Deal{
		Items: stacks(d.Items), ReturnItems: stacks(d.ReturnItems),
		Money: economy.Money(d.Money), ReturnMoney: economy.Money(d.ReturnMoney), Type: d.Type, Status: d.Status,
	}
}
