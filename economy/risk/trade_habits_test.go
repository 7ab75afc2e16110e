package risk

import (
	"slices"
	"strconv"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

func factorsOf(b *Book, id engines.PlayerID) (codes []string, score int) {
	r, _ := b.Risk(id, b.Newest())
	for _, f := range r.Factors {
		codes = append(codes, f.Code)
	}
	return codes, r.Score
}

func TestTradeFrequency(t *testing.T) {
	var more []economy.Entry
	for i := range 200 {
		n := strconv.Itoa(i)
		more = append(more, saleOf("f"+n, "p1", "p"+strconv.Itoa(3+i%30), "f"+n, testStart+9*day+int64(i)*minute))
	}
	b := town(more...)
	if codes, score := factorsOf(b, "p1"); !slices.Contains(codes, "trade_frequency") || score > 35 {
		t.Errorf("200 sales a day: %v, %d", codes, score)
	}
	if codes, _ := factorsOf(b, "p4"); slices.Contains(codes, "trade_frequency") {
		t.Errorf("a customer: %v", codes)
	}
}

func TestPriceDeviation(t *testing.T) {
	var more []economy.Entry
	for i := range 6 {
		n := strconv.Itoa(i)
		e := saleOf("d"+n, "p1", "p"+strconv.Itoa(3+2*i), "d"+n, testStart+9*day+int64(i)*hour)
		e.Deal.ReturnMoney.Amount = 900
		more = append(more, e)
	}
	b := town(more...)
	if codes, _ := factorsOf(b, "p1"); !slices.Contains(codes, "price_deviation") {
		t.Errorf("six sales at nine times the price: %v", codes)
	}
	if codes, _ := factorsOf(b, "p3"); slices.Contains(codes, "price_deviation") {
		t.Errorf("who paid once: %v", codes)
	}
}

func TestFanIn(t *testing.T) {
	var more []economy.Entry
	for i := range 25 {
		id := "p" + strconv.Itoa(i+10)
		more = append(more, economy.Entry{
			Log: economy.Currency, ID: "g" + id, At: testStart + 10*day + int64(i)*minute, Player: engines.PlayerID(id), Counterparty: "p1", What: "gold",
			Action: economy.TransferOut, Amount: 900, After: 100,
		})
	}
	if codes, _ := factorsOf(town(more...), "p1"); !slices.Contains(codes, "fan_in") {
		t.Errorf("twenty-five give it nearly all: %v", codes)
	}
	for i := range more {
		more[i].Amount, more[i].After = 30, 970
	}
	if codes, _ := factorsOf(town(more...), "p1"); slices.Contains(codes, "fan_in") {
		t.Errorf("twenty-five give it a little: %v", codes)
	}
}
