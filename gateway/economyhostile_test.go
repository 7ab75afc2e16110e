package gateway

import (
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
)

// form is a body that is right, member by member as JSON, and how each member is
// read.
type form struct {
	method, target string
	log            bool // the members are those of an entry
	good           map[string]string
	numbers        []string
	ids            []string // required
	loose          []string // ids that may be absent or empty
	words          []string // of a closed set
}

var forms = []form{
	{
		method: "POST", target: "currency-log", log: true,
		good: map[string]string{
			"log_id": `"L1"`, "timestamp": "1700000000000", "player_id": `"p"`, "currency_type": `"gold"`, "action": `"earn"`, "amount": "5", "balance_after": "5",
		},
		numbers: []string{"timestamp", "amount", "balance_after"}, ids: []string{"log_id", "player_id", "currency_type"},
		loose: []string{"source", "trade_id", "order_id", "counterparty_id", "device_id", "ip"}, words: []string{"action"},
	},
	{
		method: "POST", target: "item-log", log: true,
		good: map[string]string{
			"log_id": `"L1"`, "timestamp": "1700000000000", "player_id": `"p"`, "item_id": `"ore"`, "action": `"acquire"`, "count": "5", "count_after": "5",
		},
		numbers: []string{"timestamp", "count", "count_after"}, ids: []string{"log_id", "player_id", "item_id"},
		loose: []string{"source", "trade_id", "item_uid", "counterparty_id", "device_id", "ip"}, words: []string{"action"},
	},
	{
		method: "POST", target: "trade-log", log: true,
		good: map[string]string{
			"log_id": `"L1"`, "timestamp": "1700000000000", "trade_id": `"t"`, "sender_id": `"p"`, "receiver_id": `"q"`, "status": `"completed"`,
		},
		numbers: []string{"timestamp"}, ids: []string{"log_id", "trade_id", "sender_id", "receiver_id"}, loose: []string{"trade_type", "device_id", "ip"}, words: []string{"status"},
	},
	{
		method: "POST", target: "evaluate-trade", good: map[string]string{"sender_id": `"p"`, "receiver_id": `"q"`, "timestamp": "1700000000000"},
		numbers: []string{"timestamp"}, ids: []string{"sender_id", "receiver_id"}, loose: []string{"trade_type", "device_id", "ip"},
	},
	{
		method: "POST", target: "ban", good: map[string]string{"player_id": `"p"`, "ban_type": `"temporary"`, "duration_hours": "5"},
		numbers: []string{"duration_hours"}, ids: []string{"player_id"}, loose: []string{"reason"}, words: []string{"ban_type"},
	},
	{
		method: "DELETE", target: "ban", good: map[string]string{"player_id": `"p"`},
		ids: []string{"player_id"}, loose: []string{"reason", "ban_id"}, words: []string{"ban_type"},
	},
}

// body is the form with one member set to other JSON.
func (f *form) body(member, value string) string {
	all := maps.Clone(f.good)
	all[member] = value
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + name + `":` + all[name])
	}
	if f.log {
		return `{"app_id":"app-a","logs":[{` + b.String() + `}]}`
	}
	return `{` + b.String() + `}`
}

var (
	// What is no number, or none of ours; as JSON or as what is sent in its place.
	noNumbers = []string{
		"NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1.0", "1.5", "5e2", "5E+2", "-0.0", "0x10", "01", "+1", ".5", "5.", "--1", "1_000", "",
		`"5"`, `""`, `"NaN"`, "true", "[5]", `{"n":5}`, "9223372036854775808", "-9223372036854775809", "1" + strings.Repeat("0", 400),
		"-1e-400", "0." + strings.Repeat("0", 400) + "1",
	}
	noIDs = []string{
		`"a\u0000b"`, `"\u0007"`, `"a\nb"`, `"\t"`, `"\u001b[31m"`, `"\u007f"`, `"\u0085"`, `"\u009f"`, `"\ud800"`, `"a\udc00b"`, "\"\xff\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"",
		"\"a\x00b\"", "\"a\nb\"", `"` + strings.Repeat("x", 129) + `"`, `"` + strings.Repeat("日", 43) + `"`, "5", "1e3", "true", "[]", `["p"]`, "{}", `{"id":"p"}`,
	}
	goodIDs = []string{
		`"` + strings.Repeat("x", 128) + `"`, `"日本語 \u30ad"`, `"\ud83d\ude00"`, `"a/b?c=d&e%00"`, `"'; DROP TABLE economy_log;--"`, `" "`, `"null"`, `"\"\\"`, `"=1+1"`,
	}
)

// Every number and every id of every body is read strictly, and what is wrong has no
// effect.
func TestEconomyMembers(t *testing.T) {
	for _, f := range forms {
		t.Run(f.method+" "+f.target, func(t *testing.T) {
			d := openEconomy(t)
			refused := func(member, value string) {
				t.Helper()
				a := d.call(f.method, f.target, f.body(member, value))
				m := a.json(t)
				if a.status != 400 || m["code"] != 1001.0 {
					t.Errorf("%s = %.60s: %d %s, want 1001", member, value, a.status, a.body)
				}
				faults, _ := m["errors"].([]any)
				if len(faults) == 0 {
					t.Errorf("%s = %.60s: no fault is named: %s", member, value, a.body)
				}
			}
			for _, member := range f.numbers {
				for _, value := range noNumbers {
					refused(member, value)
				}
			}
			for _, member := range append(slices.Clone(f.ids), f.loose...) {
				for _, value := range noIDs {
					if member == "reason" { // counts in characters, ids in bytes
						value = strings.Replace(value, strings.Repeat("日", 43), strings.Repeat("日", 129), 1)
					}
					refused(member, value)
				}
			}
			for _, member := range f.ids {
				for _, value := range []string{`""`, "null"} {
					refused(member, value)
				}
			}
			for _, member := range f.words {
				for _, value := range []string{`"none"`, `"Earn"`, `" earn"`, `"completed "`, "1", "[]", "{}"} {
					refused(member, value)
				}
			}
			if len(d.eco.entries) != 0 || len(d.eco.bans) != 0 {
				t.Errorf("what was refused had an effect: %v, %v", d.eco.entries, d.eco.bans)
			}
			for _, member := range f.loose {
				for _, value := range append([]string{"null", `""`}, goodIDs...) {
					if member == "ban_id" {
						continue // it names one
					}
					a := d.call(f.method, f.target, f.body(member, value))
					if a.status != 200 && f.method == "POST" {
						t.Errorf("%s = %.60s: %d %s", member, value, a.status, a.body)
					}
				}
			}
		})
	}
}

// Documents that are no one JSON object, and members that nobody reads.
func TestEconomyDocuments(t *testing.T) {
	for _, f := range forms {
		t.Run(f.method+" "+f.target, func(t *testing.T) {
			d := openEconomy(t)
			good := f.body("none", "1")
			deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
			for name, body := range map[string]string{
				"nothing": "", "white space": "  ", "null": "null", "a number": "5", "an array": "[" + good + "]", "a string": `"{}"`,
				"two documents": good + good, "a byte after it": good + "x", "cut off": good[:len(good)-1], "a byte order mark": "\xef\xbb\xbf" + good,
				"a name twice": f.body("none", `1,"none":2`), "a member twice": f.body("player_id", `"p","player_id":"q"`),
				"a name twice below": f.body("none", `{"a":1,"a":2}`), "an escaped name twice": f.body("none", `1,"n\u006fne":2`),
				"too deep": f.body("none", deep(40)), "far too deep": f.body("none", deep(10_000)), "single quotes": strings.ReplaceAll(good, `"`, "'"),
				"a comma too much": strings.Replace(good, "}", ",}", 1), "no UTF-8 in a member that nobody reads": f.body("none", "\"\xff\""),
				"UTF-16": "\xff\xfe{\x00}\x00", "a form": "player_id=p&ban_type=permanent",
			} {
				if a := d.call(f.method, f.target, body); a.status != 400 || a.json(t)["code"] != 1001.0 {
					t.Errorf("%s: %d %s, want 1001", name, a.status, a.body)
				}
			}
			if len(d.eco.entries) != 0 || len(d.eco.bans) != 0 {
				t.Errorf("what was refused had an effect: %v, %v", d.eco.entries, d.eco.bans)
			}
			if a := d.call(f.method, f.target, good, "Content-Encoding: gzip"); a.status != 415 {
				t.Errorf("gzip: %d %s, want 415", a.status, a.body)
			}
			for _, body := range []string{good, f.body("none", deep(20)), f.body("none", "1e400"), f.body("__proto__", `{"admin":true}`), f.body("code", "0")} {
				if a := d.call(f.method, f.target, body); a.status != 200 && f.method == "POST" {
					t.Errorf("%.80s: %d %s", body, a.status, a.body)
				}
			}
		})
	}
}

// Submissions that repeat themselves, and times at the edges of what is taken.
func TestEconomyRepeatsAndTimes(t *testing.T) {
	f := forms[0]
	for name, test := range map[string]struct {
		entries    []string // what differs from a good entry
		accepted   float64
		duplicates float64
	}{
		"none":                            {nil, 0, 0},
		"one id with other content":       {[]string{`"amount":1`, `"amount":2`}, 1, 1},
		"one id at another time":          {[]string{`"timestamp":1700000000000`, `"timestamp":1600000000000`}, 1, 1},
		"both legs of a trade":            {[]string{`"player_id":"p"`, `"player_id":"q"`}, 2, 0},
		"ids that differ in case":         {[]string{`"log_id":"a"`, `"log_id":"A"`}, 2, 0},
		"ids that differ in a space":      {[]string{`"log_id":"a"`, `"log_id":"a "`}, 2, 0},
		"one id, escaped":                 {[]string{`"log_id":"L\u0031"`, `"log_id":"L1"`}, 1, 1},
		"forms of one letter":             {[]string{`"log_id":"\u00e9"`, `"log_id":"e\u0301"`}, 2, 0},
		"minus zero":                      {[]string{`"amount":-0`}, 1, 0},
		"the most that there is":          {[]string{`"amount":9223372036854775807`, `"balance_after":-9223372036854775808`}, 1, 1},
		"2001, the first thirteen digits": {[]string{`"timestamp":1000000000000`}, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := openEconomy(t)
			var list []string
			for _, e := range test.entries {
				member, value, _ := strings.Cut(e, ":")
				entry := f.body(strings.Trim(member, `"`), value)
				list = append(list, entry[strings.Index(entry, "[")+1:len(entry)-2])
			}
			a := d.call("POST", f.target, `{"app_id":"app-a","logs":[`+strings.Join(list, ",")+`]}`)
			if m := a.json(t); a.status != 200 || m["accepted"] != test.accepted || m["duplicates"] != test.duplicates {
				t.Errorf("%d %s, want %v accepted and %v duplicates", a.status, a.body, test.accepted, test.duplicates)
			}
		})
	}
	d := openEconomy(t)
	now := time.Now().UnixMilli()
	for at, status := range map[int64]int{
		-1: 400, 0: 400, 1: 400, 86_400_000: 400, -1_700_000_000_000: 400, 999_999_999_999: 400, 1_000_000_000_000: 200,
		now: 200, now + 4*60_000: 200, now + 6*60_000: 400, now + 365*86_400_000: 400, 9_999_999_999_999: 400, 10_000_000_000_000: 400, 1 << 62: 400,
	} {
		for _, f := range forms[:4] {
			if a := d.call(f.method, f.target, f.body("timestamp", strconv.FormatInt(at, 10))); a.status != status {
				t.Errorf("%s at %d: %d %s, want %d", f.target, at, a.status, a.body, status)
			}
		}
	}
	for _, f := range forms[2:4] {
		for _, same := range []string{`"p"`, `"\u0070"`} {
			if a := d.call(f.method, f.target, f.body("receiver_id", same)); a.status != 400 {
				t.Errorf("%s with oneself: %d %s", f.target, a.status, a.body)
			}
		}
	}
}

// Questions with ids, limits and cursors that no answer of ours had.
func TestEconomyQueries(t *testing.T) {
	d := openEconomy(t)
	d.eco.entries = map[string]economy.Entry{"1": {Log: economy.Currency, ID: "1", Player: "p", At: 1700000000000}}
	b64 := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	long := strings.Repeat("x", 129)
	for target, status := range map[string]int{
		"risk-score?player_id=p": 200, "risk-score?player_id=": 400, "risk-score?player_id=%00": 400, "risk-score?player_id=%0d%0aX:1": 400,
		"risk-score?player_id=%ff": 400, "risk-score?player_id=%c2%85": 400, "risk-score?player_id=" + long: 400, "risk-score?player_id=%ed%a0%80": 400,
		"risk-score?player_id=nobody%27--": 404, "risk-score?player=p": 400, "risk-score": 400,

		"players/p/timeline": 200, "players/%00/timeline": 400, "players/%ff/timeline": 400, "players/a%0ab/timeline": 400, "players/" + long + "/timeline": 400,
		"players/nobody/timeline": 404, "players//timeline": 404, "players/p%2fq/timeline": 200,
	} {
		if a := d.call("GET", target, ""); a.status != status {
			t.Errorf("%s: %d %s, want %d", target, a.status, a.body, status)
		}
	}
	for _, list := range []string{"players/p/timeline", "bans"} {
		for _, limit := range []string{"0", "-1", "501", "1e2", "1.0", "0x10", "NaN", "99999999999999999999", "%20", "5%20", "5%00", "true", "[]"} {
			if a := d.call("GET", list+"?limit="+limit, ""); a.status != 400 {
				t.Errorf("%s?limit=%s: %d %s, want 400", list, limit, a.status, a.body)
			}
		}
		for _, cursor := range []string{
			"x", "!", "=", "%00", "..%2f", b64("5")[:1], b64("no stamp"), b64("5"), b64(" "), b64("5.0 x"), b64("1e3 x"), b64("9223372036854775808 x"), b64("NaN x"),
			b64("5 a\x00b"), b64("5 \xff"), b64("5 x") + "=", b64("5 x") + "%0a", strings.Repeat("A", 3000),
		} {
			if a := d.call("GET", list+"?cursor="+cursor, ""); a.status != 400 {
				t.Errorf("%s?cursor=%.40s: %d %s, want 400", list, cursor, a.status, a.body)
			}
		}
		for _, cursor := range []string{b64("-9223372036854775808 x"), b64("9223372036854775807 "), b64("0 "), b64("5 ' OR 1=1 --"), b64("5 %_"), b64("5 " + strings.Repeat("z", 1000))} {
			if a := d.call("GET", list+"?cursor="+cursor, ""); a.status != 200 {
				t.Errorf("%s?cursor=%.40s: %d %s, want 200", list, cursor, a.status, a.body)
			}
		}
	}
}
