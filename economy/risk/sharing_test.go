package risk

import (
	"fmt"
	"testing"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
)

// Who shares a device or a small address is said, once each and by the device first;
// who is at a public place is not.
func TestAroundSaysWhoShares(t *testing.T) {
	const now = int64(1_790_000_000_000) / minute * minute
	entries := []economy.Entry{
		visit("me", now-9*day, 0, "mine", "home"),
		visit("me", now-8*day, 0, "cafe", "tower"),
		visit("twin", now-3*day, 0, "mine", "home"),
		visit("twin", now-day, 0, "mine", "home"),
		visit("sister", now-2*day, 0, "hers", "home"),
		visit("stranger", now-day, 0, "own", "away"),
	}
	for i := range maxSeats + 1 { // with me ten on one device, and at one address
		entries = append(entries, visit(guestID(i), now-day, 0, "cafe", "tower"))
	}
	b := replay(entries)
	w, ok := b.Around("me", 2, 60, b.Newest())
	if !ok || len(w.Shares) != 2 {
		t.Fatalf("Around(me) = %+v, %v; want the twin and the sister", w.Shares, ok)
	}
	if x, want := w.Shares[0], (economy.WebShare{Player: "twin", By: economy.ByDevice, Seats: 2, First: now - 3*day, Last: now - day}); x != want {
		t.Errorf("shares[0] = %+v, want %+v", x, want)
	}
	if x, want := w.Shares[1], (economy.WebShare{Player: "sister", By: economy.ByAddress, Seats: 3, First: now - 2*day, Last: now - 2*day}); x != want {
		t.Errorf("shares[1] = %+v, want %+v", x, want)
	}
	if w, _ = b.Around("stranger", 2, 60, b.Newest()); len(w.Shares) != 0 {
		t.Errorf("Around(stranger) shares %+v", w.Shares)
	}
}

func guestID(i int) engines.PlayerID { return engines.PlayerID(fmt.Sprint("guest-", i)) }
