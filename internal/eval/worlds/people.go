package worlds

import (
	"math"
	"slices"
)

// habit is how a kind of player plays.
type habit struct {
	kind   string
	share  float64 // of the legitimate players
	active float64 // chance to play on a day
	gap    float64 // seconds between two deeds, at the middle
	sigma  float64 // of its logarithm
	hours  float64 // a day, at the middle
	skill  float64 // what a deed earns
}

// The people that every game has. The look-alikes come beside them.
var habits = []habit{
	{"casual", .56, .45, 300, .95, 1.2, 60},
	{"hardcore", .11, .9, 210, .9, 3.5, 130},
	{"whale", .03, .7, 240, .9, 2, 110},
	{"flipper", .025, .95, 110, .9, 3, 40},
	{"gatherer", .03, .95, 95, .45, 6.5, 95},
	{"idler", .03, .85, 90, .15, 10, 70}, // lets the game play by itself, as it may
	{"newbie", .075, .65, 240, .9, 1.3, 40},
	{"alt", .04, .5, 300, .9, 1, 55},
	{"quitter", .012, .7, 240, .9, 2, 100},
	{"cafe", .05, .5, 260, .9, 2, 70},
}

// usual is the habit of somebody who plays like others.
var usual = habit{"casual", 0, .55, 280, .9, 1.6, 75}

func habitOf(kind string) habit {
	for _, h := range habits {
		if h.kind == kind {
			return h
		}
	}
	return usual
}

// piece is an individual item.
type piece struct {
	uid  string
	good int
}

// person is an account.
type person struct {
	habit
	id, arch, role, ring string
	label                int // 1 bad, 0 legitimate, 2 bought from a villain
	created              int64
	device, ip           string
	nowDevice, nowIP     string // where another device is used for now
	peak                 float64
	from, to             int // days between which it plays
	gold, gems           int64
	pieces               []piece
	stacks               []int64 // by good
	favourite            int
	friends              []*person
	bank                 *person // of its guild
	main                 *person // whose second account it is
	devices              []string
	firstBad             int64
	greeted, left        bool
}

// add makes an account of a kind; the caller may change it until the day begins.
func (w *World) add(h habit) *person {
	p := &person{
		habit: h, id: w.name("p"), arch: "legit", role: h.kind, device: w.name("d"), ip: w.name("i"),
		created: w.start - int64(float64(day)*math.Exp(w.uniform(2, 7))), peak: 20 + 2.5*w.rng.NormFloat64() + pick(w, []float64{0, 0, 0, -7, 6}),
		to: w.cfg.Days, stacks: make([]int64, len(w.goods)), favourite: pick(w, w.mats),
	}
	p.active = min(1, h.active*w.uniform(.8, 1.15))
	p.gap *= w.spread(.25)
	p.hours *= w.spread(.25)
	p.skill *= w.spread(.35)
	w.people = append(w.people, p)
	w.kinds[h.kind] = append(w.kinds[h.kind], p)
	return p
}

// settle gives somebody what it has from before the world began.
func (w *World) settle(p *person) {
	if p.created >= w.start {
		return
	}
	p.gold = int64(p.skill * math.Exp(3+w.rng.NormFloat64()))
	for range w.between(0, 4) {
		w.find(p, pick(w, w.gear))
	}
	for range w.between(0, 5) {
		p.stacks[pick(w, w.mats)] += int64(w.between(1, 60))
	}
}

// find gives somebody a new individual item.
func (w *World) find(p *person, good int) {
	w.pieces++
	p.pieces = append(p.pieces, piece{number("u", w.pieces), good})
}

// member is a new account among the others: with friends, and perhaps in a guild.
func (w *World) member(kind string) *person {
	h := habitOf(kind)
	h.kind = kind
	p := w.add(h)
	w.settle(p)
	w.befriend(p)
	return p
}

func (w *World) befriend(p *person) {
	p.friends = some(w, w.humans, w.between(2, 7))
	if banks := w.kinds["guild_bank"]; w.chance(.55) {
		p.bank = pick(w, banks)
	}
}

// populate makes the people that every game has.
func (w *World) populate() {
	for range max(2, w.cfg.Players/100) {
		b := w.add(habit{kind: "guild_bank"})
		b.gold = int64(w.uniform(2000, 40_000))
	}
	for _, h := range habits {
		for range max(2, int(math.Round(h.share*float64(w.cfg.Players)))) {
			p := w.add(h)
			if h.kind == "newbie" {
				p.from = w.between(0, w.cfg.Days-1)
				p.created = w.dayOf(p.from) + w.hours(0, 24)
			}
			if h.kind == "quitter" {
				p.to = w.between(3, w.cfg.Days)
			}
			w.settle(p)
			w.humans = append(w.humans, p)
		}
	}
	for _, p := range w.humans {
		w.befriend(p)
	}
	for _, p := range w.kinds["alt"] {
		p.main = pick(w, append(slices.Clip(w.kinds["hardcore"]), some(w, w.kinds["casual"], 40)...))
		p.device, p.ip = p.main.device, p.main.ip
	}
	for cafe := w.kinds["cafe"]; len(cafe) > 0; {
		n := min(len(cafe), w.between(4, 16))
		ip, devices := w.name("i"), make([]string, max(1, n/3))
		for i := range devices {
			devices[i] = w.name("d")
		}
		for _, p := range cafe[:n] {
			p.ip, p.devices = ip, devices
		}
		cafe = cafe[n:]
	}
}

// ordinary reports whether somebody can be a villain's victim or customer.
func (p *person) ordinary() bool {
	switch p.kind {
	case "casual", "hardcore", "whale", "gatherer", "newbie", "cafe":
		return p.label != 1
	}
	return false
}

// bad notes the first bad deed of a villain.
func (p *person) bad(at int64) {
	if p.firstBad == 0 || at < p.firstBad {
		p.firstBad = at
	}
}
