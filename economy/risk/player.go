package risk

const (
	ringHours = 80 // of activity
	ringDays  = 64 // of presence
	mixBits   = 5
	mixCells  = 1 << mixBits // of sources
	devSlots  = 4
)

// player is what is counted for one player, whatever the currency.
type player struct {
	first, last int64 // event times of entries of its own; 0: none, it was only named by others
	played      int64 // newest time it played: earned, spent, found, used up
	created     int64 // of the account, as the game says; 0: unknown
	wallet      int32 // first of its wallets, by number + 1; 0: none
	stash       int32 // first of its stashes, by number + 1; 0: none
	flow        int32 // first of its flows, by number + 1; 0: none
	plays       uint32
	id          int32  // of the book; 0 in a free place
	odd         uint16 // entries whose arithmetic does not fit 64 bits
	idle        bool   // it had no entry since the hand was here, see cool

	diary int32 // number + 1, or with a minus the number - 1 of an early; 0: none
	dayNo int32
	days  uint64 // bit 0: played on dayNo, bit 1: the day before ...

	devs [devSlots]device
	home int32 // addresses, by number + 1; 0: none
}

// device is a device a player was seen on.
type device struct {
	id          int32
	first, last int32 // minutes since 1970
}

// diary is when and from what a player earned. Those who did hardly anything have
// none.
type diary struct {
	hourNo int32            // the newest hour in the ring, counted from 1970
	hours  [ringHours]uint8 // things done in an hour; [hour % ringHours]
	mix    [mixCells]uint16 // things earned by hash of source
}

// diaryFrom is after how many things done a diary is kept.
const diaryFrom = 6

// early is what a player did until it has a diary: hour and what it was from.
type early [diaryFrom]int32

// act counts something the player did itself, order-free: what is older than the
// ring leaves no trace whether it comes before or after the newest.
// from is the source of what was earned so; noSource of what was not earned.
func (r *records) act(p *player, at int64, from int32) {
	p.plays++
	p.played = max(p.played, at)
	p.present(int32(floorDiv(at, day)))
	done := int32(floorDiv(max(at, 0), hour))*(mixCells+1) + from
	if p.plays <= diaryFrom {
		if p.diary == 0 {
			p.diary = -r.starts.add() - 1
		}
		r.starts.at(-p.diary - 1)[p.plays-1] = done
		return
	}
	if p.diary < 0 {
		n := -p.diary - 1
		p.diary = r.diaries.add() + 1
		for _, done := range r.starts.at(n) {
			r.diaries.at(p.diary - 1).act(done)
		}
		r.starts.drop(n)
	}
	r.diaries.at(p.diary - 1).act(done)
}

// noSource is the source of what was not earned.
const noSource = mixCells

// sourceOf is the cell of a word for where something came from. The factor keeps the
// words apart that games use most, above all those of their automatons.
func sourceOf(word uint32) int32 { return int32(word * 0xc6a16bc9 >> (32 - mixBits)) }

func (d *diary) act(done int32) {
	if c := done % (mixCells + 1); c != noSource && d.mix[c] < 65535 {
		d.mix[c]++
	}
	h := done / (mixCells + 1)
	switch {
	case d.hourNo == 0 || h-d.hourNo >= ringHours:
		d.hours = [ringHours]uint8{}
		d.hourNo = h
	case h > d.hourNo:
		for i := d.hourNo + 1; i <= h; i++ {
			d.hours[cell(i)] = 0
		}
		d.hourNo = h
	}
	if d.hourNo-h < ringHours && d.hours[cell(h)] < 255 {
		d.hours[cell(h)]++
	}
}

func (p *player) present(d int32) {
	switch {
	case p.dayNo == 0:
		p.dayNo, p.days = d, 1
	case d > p.dayNo:
		p.days = p.days<<min(63, d-p.dayNo) | 1
		if d-p.dayNo > 63 {
			p.days = 1
		}
		p.dayNo = d
	case p.dayNo-d < ringDays:
		p.days |= 1 << (p.dayNo - d)
	}
}

func cell(h int32) int32 { return ((h % ringHours) + ringHours) % ringHours }

// seen notes a device. The slots keep the two devices that were seen first and
// those seen last.
func (p *player) seen(id int32, at int64) {
	m := int32(floorDiv(at, minute))
	free := -1
	for i := range p.devs {
		d := &p.devs[i]
		if d.id == id {
			d.first, d.last = min(d.first, m), max(d.last, m)
			return
		}
		if d.id == 0 && free < 0 {
			free = i
		}
	}
	n := device{id: id, first: m, last: m}
	if free >= 0 {
		p.devs[free] = n
		return
	}
	// The one to go is the least recent among those that are not the two oldest.
	a, b := p.oldest()
	go1 := -1
	for i := range p.devs {
		if i != a && i != b && (go1 < 0 || p.devs[i].last < p.devs[go1].last) {
			go1 = i
		}
	}
	if p.devs[go1].last <= m {
		p.devs[go1] = n
	}
}

// oldest are the slots of the two devices seen first.
func (p *player) oldest() (first, then int) {
	first, then = 0, -1
	for i := 1; i < devSlots; i++ {
		switch {
		case p.devs[i].first < p.devs[first].first:
			first, then = i, first
		case then < 0 || p.devs[i].first < p.devs[then].first:
			then = i
		}
	}
	return first, then
}

// activeDays is on how many days of the last ringDays before now the player played.
func (p *player) activeDays() int { return bitsSet(p.days) }
