package rules

import (
	"slices"

	"github.com/portcullis-gg/portcullis/economy"
)

// side is whom or what a slot asks.
type side uint8

const (
	ofPlayer side = iota
	ofSender
	ofReceiver
	ofTrade
)

var sides = map[string]side{"player": ofPlayer, "sender": ofSender, "receiver": ofReceiver, "trade": ofTrade}

// slot is a use of a map or a function with what it is asked, all of which is
// written out in the condition. Its value is found before the condition runs, so
// that the condition itself only reads numbers.
type slot struct {
	of     side
	what   string // the map's or the function's name
	key    string // a factor, an item, a reason
	money  string
	source string // "" is any
	span   economy.Span
}

// windows are the velocity windows by how they are written.
var windows = map[string]economy.Span{"1h": economy.Hour, "24h": economy.Day, "7d": economy.Week, "30d": economy.Month}

// ofFeatures is the slot's value for a player.
func (s *slot) ofFeatures(f *economy.Features) float64 {
	switch s.what {
	case "factors":
		for i := range f.Factors {
			if f.Factors[i].Code == s.key {
				return float64(f.Factors[i].Score)
			}
		}
	case "trades":
		return float64(f.Trades[s.span])
	default:
		return s.flows(f.Flows)
	}
	return 0
}

func (s *slot) flows(list []economy.Flow) (sum float64) {
	for i := range list {
		f := &list[i]
		if s.source != "" && f.Source != s.source {
			continue
		}
		switch s.what {
		case "earned":
			sum += when(f.What == s.money, f.In[s.span])
		case "spent":
			sum += when(f.What == s.money, f.Out[s.span])
		case "items_in":
			sum += when(f.What == "", f.In[s.span])
		case "items_out":
			sum += when(f.What == "", f.Out[s.span])
		case "entries":
			sum += float64(f.Ins[s.span] + f.Outs[s.span])
		}
	}
	return sum
}

func when(fits bool, n float64) float64 {
	if fits {
		return n
	}
	return 0
}

// ofTrade is the slot's value for a trade.
func (s *slot) ofTrade(d *economy.Deal, reasons []string) (n float64) {
	switch s.what {
	case "items":
		n = pieces(d.Items, s.key)
	case "return_items":
		n = pieces(d.ReturnItems, s.key)
	case "reasons":
		n = when(slices.Contains(reasons, s.key), 1)
	}
	return n
}

func pieces(list []economy.Stack, item string) (n float64) {
	for i := range list {
		if list[i].Item == item {
			n += float64(list[i].Count)
		}
	}
	return n
}
