package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// economyKind is a kind of log that games sent when their economy had broken.
type economyKind struct {
	name, log string
	entries   []string // what differs from a good entry
	status    int
	accepted  int
	least     int // the risk of player u1 afterwards
	most      int
}

// TestEconomyKinds sends logs of the kinds that public reports of broken game
// economies tell of.
func TestEconomyKinds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := serveProcess(t, nil, "--data", dir)
	made := func(app string) *caller {
		var o map[string]any
		if err := json.Unmarshal(command(t, nil, "keys", "create", "--json", "--data", dir, "--app", app), &o); err != nil {
			t.Fatal(err)
		}
		secret, _ := o["secret"].(string)
		return &caller{url: p.url, app: app, secret: secret}
	}
	at := time.Now().Add(-time.Hour).UnixMilli()
	good := map[string]string{
		"currency": `"log_id":"L%d","timestamp":%d,"player_id":"u1","currency_type":"gold","action":"earn","amount":5,"balance_after":5`,
		"item":     `"log_id":"L%d","timestamp":%d,"player_id":"u1","item_id":"ore","action":"acquire","count":1,"count_after":1`,
		"trade":    `"log_id":"L%d","timestamp":%d,"trade_id":"t","sender_id":"u1","receiver_id":"u2"`,
	}
	for i, k := range economyKinds {
		t.Run(k.name, func(t *testing.T) {
			game := made(fmt.Sprintf("game%d", i))
			var list []string
			for j, change := range k.entries {
				list = append(list, changed(fmt.Sprintf("{"+good[k.log]+"}", j, at+int64(j)), change))
			}
			a := game.must(t, k.status, "POST", "economy/"+k.log+"-log", `{"app_id":"`+game.app+`","logs":[`+strings.Join(list, ",")+`]}`)
			if got, _ := a["accepted"].(float64); int(got) != k.accepted {
				t.Errorf("%d entries were accepted, want %d: %v", int(got), k.accepted, a)
			}
			if k.status != 200 {
				game.must(t, 404, "GET", "economy/risk-score?player_id=u1", "")
				return
			}
			r := game.must(t, 200, "GET", "economy/risk-score?player_id=u1", "")
			if got, _ := r["risk_score"].(float64); int(got) < k.least || k.most > 0 && int(got) > k.most {
				t.Errorf("risk %v, want %d to %d", r, k.least, k.most)
			}
		})
	}
}

// changed is an entry with other values of some members, written name:JSON and
// parted by semicolons.
func changed(entry, change string) string {
	for part := range strings.SplitSeq(change, ";") {
		name, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		key := `"` + name + `":`
		at := strings.Index(entry, key)
		if at < 0 {
			entry = strings.TrimSuffix(entry, "}") + "," + key + value + "}"
			continue
		}
		from := at + len(key)
		to := from + strings.IndexAny(entry[from:], ",}")
		entry = entry[:from] + value + entry[to:]
	}
	return entry
}

var economyKinds = []economyKind{
	{name: "a negative transfer pulls money", log: "currency", entries: []string{`action:"transfer_out";amount:-500`}, status: 400},
	{name: "a sign flipped", log: "currency", entries: []string{`action:"spend";amount:-1`}, status: 400},
	{name: "a negative payout", log: "currency", entries: []string{`amount:-20`}, status: 400},
	{name: "paying oneself", log: "currency", entries: []string{`action:"transfer_out";counterparty_id:"u1"`}, status: 400},
	{name: "trading with oneself", log: "trade", entries: []string{`receiver_id:"u1"`}, status: 400},
	{name: "a total that wrapped", log: "currency", entries: []string{`action:"spend";amount:-294967296`}, status: 400},
	{name: "over 64 bits", log: "currency", entries: []string{`amount:9223372036854775808`}, status: 400},
	{name: "goods kept though the balance wrapped", log: "currency", entries: []string{`action:"spend";amount:2400000000;balance_after:-1894967296`}, status: 200, accepted: 1},
	{name: "a negative bulk order", log: "item", entries: []string{`count:-300000000000000.0`}, status: 400},
	{name: "a fraction of an item", log: "item", entries: []string{`count:0.3`}, status: 400},
	{name: "Infinity and NaN", log: "currency", entries: []string{`amount:"Infinity"`, `amount:"NaN"`}, status: 400},
	{name: "NaN as no JSON", log: "currency", entries: []string{`amount:NaN`}, status: 400},
	{name: "delivered twice", log: "currency", entries: []string{`log_id:"L9"`, `log_id:"L9"`}, status: 200, accepted: 1, most: 29},
	{name: "the same id with other content", log: "currency", entries: []string{`log_id:"L9";amount:10`, `log_id:"L9";amount:999`}, status: 200, accepted: 1, most: 29},
	{name: "late and out of order", log: "currency", entries: []string{`balance_after:10;amount:5`, `balance_after:5;amount:5`}, status: 200, accepted: 2, most: 29},
	{name: "an older repeat", log: "currency", entries: []string{`log_id:"L9"`, `log_id:"L9";amount:6`}, status: 200, accepted: 1, most: 29},
	{
		name: "retries that look like fraud", log: "currency",
		entries: []string{`action:"purchase";amount:20;balance_after:20`, `action:"purchase";amount:20;balance_after:40`, `action:"purchase";amount:20;balance_after:60`},
		status:  200, accepted: 3, most: 54,
	},
	{name: "a wrapped balance", log: "currency", entries: []string{`action:"spend";amount:2400000000;balance_after:-1894967296`}, status: 200, accepted: 1, least: 75},
	{
		name: "a debt of what was charged back", log: "currency",
		entries: []string{
			`action:"purchase";amount:900;balance_after:900`, `action:"spend";amount:800;balance_after:100`,
			`action:"chargeback";amount:900;balance_after:-800`, `action:"spend";amount:5;balance_after:-805`,
		},
		status: 200, accepted: 4, most: 29,
	},
	{
		name: "one order credited twice", log: "currency",
		entries: []string{`action:"purchase";amount:20;balance_after:20;order_id:"o1"`, `action:"purchase";amount:20;balance_after:40;order_id:"o1"`},
		status:  200, accepted: 2, least: 55,
	},
	{
		name: "one order of two currencies", log: "currency",
		entries: []string{`action:"purchase";amount:20;balance_after:20;order_id:"o1"`, `action:"purchase";currency_type:"gem";amount:20;balance_after:20;order_id:"o1"`},
		status:  200, accepted: 2, most: 29,
	},
	{
		name: "one code redeemed twice", log: "item",
		entries: []string{`action:"grant";source:"promo:SPRING"`, `action:"grant";source:"promo:SPRING";count_after:2`},
		status:  200, accepted: 2, least: 55,
	},
	{
		name: "one code redeemed by two", log: "item",
		entries: []string{`action:"grant";source:"promo:SPRING"`, `player_id:"u2";action:"grant";source:"promo:SPRING"`},
		status:  200, accepted: 2, most: 29,
	},
	{name: "one key, two rewards", log: "item", entries: []string{`item_uid:"K1";item_id:"a"`, `item_uid:"K1";item_id:"b"`}, status: 200, accepted: 2, least: 50},
	{name: "one item found by two at once", log: "item", entries: []string{`item_uid:"S9"`, `item_uid:"S9";player_id:"u2"`}, status: 200, accepted: 2, least: 50},
	{
		name: "one listing bought twice", log: "trade",
		entries: []string{
			`sender_id:"s";receiver_id:"u1";items:[{"item_id":"ring","count":1}]`, `sender_id:"s";receiver_id:"u2";items:[{"item_id":"ring","count":1}]`,
		},
		status: 200, accepted: 2, least: 50,
	},
	{
		name: "one trade told twice", log: "trade",
		entries: []string{`items:[{"item_id":"ring","count":1}]`, `items:[{"item_id":"ring","count":1}]`},
		status:  200, accepted: 2, most: 29,
	},
	{
		name: "two empty one chest at once", log: "currency",
		entries: []string{
			`player_id:"guild:7";action:"transfer_out";amount:1000;balance_after:0;counterparty_id:"u1"`,
			`player_id:"guild:7";action:"transfer_out";amount:1000;balance_after:0;counterparty_id:"u2"`,
		},
		status: 200, accepted: 2, least: 50,
	},
	{
		name: "one withdrawal logged twice", log: "currency",
		entries: []string{
			`player_id:"guild:7";action:"transfer_out";amount:1000;balance_after:0;counterparty_id:"u1"`,
			`player_id:"guild:7";action:"transfer_out";amount:1000;balance_after:0;counterparty_id:"u1"`,
		},
		status: 200, accepted: 2, most: 29,
	},
}
