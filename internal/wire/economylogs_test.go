package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/portcullis-gg/portcullis/economy"
)

const (
	itemEntry  = `{"log_id":"L","timestamp":1790000000000,"player_id":"p","item_id":"sword","action":"acquire","count":1,"count_after":2}`
	tradeEntry = `{"log_id":"L","timestamp":1790000000000,"trade_id":"t","sender_id":"p","receiver_id":"q"}`
)

func TestReadLogs(t *testing.T) {
	const optional = `"source":"drop","item_uid":"u","order_id":"o","counterparty_id":"q","device_id":"d","ip":"i","account_created_at":7,"return_items":[{"item_id":"ore","count":3}],
		"items":[{"item_id":"sword","count":1,"item_uid":"u"}],"currency":{"type":"gold","amount":0},"return_currency":{"type":"gem","amount":9},"trade_type":"mail","status":"reversed","more":[1]`
	with := func(entry, more string) string { return strings.TrimSuffix(entry, "}") + "," + more + "}" }
	base := economy.Entry{ID: "L", At: 1790000000000, Player: "p"}
	item := base
	item.Log, item.What, item.Action, item.Amount, item.After = economy.Item, "sword", economy.Acquire, 1, 2
	full := item
	full.Source, full.ItemUID, full.Counterparty, full.TradeID, full.Device, full.IP, full.Created = "drop", "u", "q", "t", "d", "i", 7
	full.OrderID = "o"
	trade := base
	trade.Log, trade.Counterparty, trade.TradeID, trade.Deal = economy.Trade, "q", "t", &economy.Deal{}
	fullTrade := trade
	fullTrade.Device, fullTrade.IP, fullTrade.Created = "d", "i", 7
	fullTrade.Deal = &economy.Deal{
		Items: []economy.Stack{{Item: "sword", Count: 1, UID: "u"}}, ReturnItems: []economy.Stack{{Item: "ore", Count: 3}},
		Money: economy.Money{Type: "gold"}, ReturnMoney: economy.Money{Type: "gem", Amount: 9}, Type: "mail", Status: "reversed",
	}
	for name, test := range map[string]struct {
		log  economy.Log
		body string
		want economy.Entry
	}{
		"an item": {economy.Item, itemEntry, item}, "an item with all": {economy.Item, with(itemEntry, optional+`,"trade_id":"t"`), full},
		"a trade": {economy.Trade, tradeEntry, trade}, "a trade with all": {economy.Trade, with(tradeEntry, optional), fullTrade},
	} {
		s, err := ReadLog(parse(t, submission(false, test.body)), "app", test.log, 10, testNow)
		if diff := cmp.Diff([]economy.Entry{test.want}, s.Entries); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestLogsFaults(t *testing.T) {
	change := func(entry string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(entry) }
	items := func(list string) string { return change(tradeEntry, `"t"`, `"t","items":`+list) }
	for _, test := range []struct {
		name, entry string
		log         economy.Log
		pointers    []string
	}{
		{"an empty item entry", `{}`, economy.Item, []string{"log_id", "player_id", "item_id", "action", "count", "count_after", "timestamp"}},
		{"an empty trade", `{}`, economy.Trade, []string{"log_id", "trade_id", "sender_id", "receiver_id", "timestamp"}},
		{"no item", change(itemEntry, `"count":1`, `"count":0`), economy.Item, []string{"count"}},
		{"fewer than none left", change(itemEntry, `"count_after":2`, `"count_after":-2`), economy.Item, []string{"count_after"}},
		{"a third of an item", change(itemEntry, `"count":1`, `"count":0.3`), economy.Item, []string{"count"}},
		{"an action of money", change(itemEntry, "acquire", "earn"), economy.Item, []string{"action"}},
		{"a trade with oneself", change(tradeEntry, `"q"`, `"p"`), economy.Trade, []string{"receiver_id"}},
		{"a stack of less than one", items(`[{"item_id":"a","count":1},{"item_id":"b","count":-1}]`), economy.Trade, []string{"items/1/count"}},
		{"a stack of nothing", items(`[{"count":1}]`), economy.Trade, []string{"items/0/item_id"}},
		{"no stacks", items(`{}`), economy.Trade, []string{"items"}},
		{"too many stacks", items(`[` + strings.Repeat(`{"item_id":"a","count":1},`, 1000) + `{"item_id":"a","count":1}]`), economy.Trade, []string{"items"}},
		{"negative money", change(tradeEntry, `"t"`, `"t","currency":{"type":"gold","amount":-5}`), economy.Trade, []string{"currency/amount"}},
		{"money without a name", change(tradeEntry, `"t"`, `"t","return_currency":{"amount":5}`), economy.Trade, []string{"return_currency/type"}},
		{"another status", change(tradeEntry, `"t"`, `"t","status":"maybe"`), economy.Trade, []string{"status"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadLog(parse(t, submission(false, test.entry)), "app", test.log, 10, testNow)
			for i := range test.pointers {
				test.pointers[i] = "/logs/0/" + test.pointers[i]
			}
			wantFields(t, err, test.pointers...)
		})
	}
	_, err := ReadLog(parse(t, submission(false, change(itemEntry, "acquire", "spend"))), "app", economy.Item, 10, testNow)
	if got, want := From(err).Fields[0].Reason, "must be one of acquire, transfer_in, grant, consume, destroy, transfer_out, revoke"; got != want {
		t.Errorf("reason %q, want %q", got, want)
	}
}
