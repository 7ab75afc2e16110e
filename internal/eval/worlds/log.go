package worlds

import "fmt"

// delivery is an entry on its way.
type delivery struct {
	arrive float64
	kind   string
	entry  any
}

// Of entries so many are lost for ever, arrive within the hour, arrive within the day,
// or arrive twice.
const (
	lostShare  = .0005
	lateShare  = .025
	laterShare = .005
	twiceShare = .01
)

type context struct {
	Device string `json:"device_id,omitempty"`
	IP     string `json:"ip,omitempty"`
}

type head struct {
	Log    string `json:"log_id"`
	At     int64  `json:"timestamp"`
	Player string `json:"player_id"`
}

type currencyEntry struct {
	head
	context
	Currency     string `json:"currency_type"`
	Action       string `json:"action"`
	Amount       int64  `json:"amount"`
	After        int64  `json:"balance_after"`
	Source       string `json:"source"`
	Counterparty string `json:"counterparty_id,omitempty"`
	Trade        string `json:"trade_id,omitempty"`
	Order        string `json:"order_id,omitempty"`
	Created      int64  `json:"account_created_at,omitempty"`
}

type itemEntry struct {
	head
	context
	Item         string `json:"item_id"`
	Action       string `json:"action"`
	Count        int64  `json:"count"`
	After        int64  `json:"count_after"`
	Source       string `json:"source"`
	UID          string `json:"item_uid,omitempty"`
	Counterparty string `json:"counterparty_id,omitempty"`
	Trade        string `json:"trade_id,omitempty"`
}

type money struct {
	Type   string `json:"type"`
	Amount int64  `json:"amount"`
}

type itemStack struct {
	Item  string `json:"item_id"`
	Count int64  `json:"count"`
	UID   string `json:"item_uid,omitempty"`
}

type tradeBody struct {
	Sender    string      `json:"sender_id"`
	Receiver  string      `json:"receiver_id"`
	Items     []itemStack `json:"items"`
	Money     money       `json:"currency"`
	BackItems []itemStack `json:"return_items,omitempty"`
	BackMoney *money      `json:"return_currency,omitempty"`
	Type      string      `json:"trade_type"`
}

type tradeEntry struct {
	Log   string `json:"log_id"`
	At    int64  `json:"timestamp"`
	Trade string `json:"trade_id"`
	tradeBody
	Status string `json:"status"`
	Device string `json:"device_id,omitempty"`
}

// probe is a trade that is about to happen.
type probe struct {
	At    int64     `json:"at"`
	Label int       `json:"label"`
	Arch  string    `json:"arch"`
	Body  tradeBody `json:"body"`
}

func number(kind string, n int) string { return fmt.Sprintf("%s%08d", kind, n) }

// emit sends an entry on its way.
func (w *World) emit(kind string, at int64, entry any) {
	if w.chance(lostShare) {
		w.lost++
		return
	}
	delay := 2000 * w.rng.ExpFloat64()
	switch u := w.rng.Float64(); {
	case u < laterShare:
		delay = float64(w.hours(1, 20))
	case u < laterShare+lateShare:
		delay = float64(w.minutes(1, 60))
	}
	w.out = append(w.out, delivery{float64(at) + delay, kind, entry})
	if w.chance(twiceShare) {
		w.out = append(w.out, delivery{float64(at) + delay + float64(5*minute)*w.rng.ExpFloat64(), kind, entry})
	}
}

func (w *World) head(kind string, at int64, p *person) head {
	w.logs++
	return head{number(kind, w.logs), at, p.id}
}

// here is where somebody plays now; of entries that it did not cause, nothing is said.
func (p *person) here(caused bool) context {
	if !caused {
		return context{}
	}
	c := context{p.device, p.ip}
	if p.nowDevice != "" {
		c.Device = p.nowDevice
	}
	if p.nowIP != "" {
		c.IP = p.nowIP
	}
	return c
}
