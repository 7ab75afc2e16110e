package policy

import (
	"errors"
	"slices"
	"strings"
	"time"
)

var errNoZone = errors.New("no time zone")

// days in the order of time.Weekday.
var days = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

const dayMinutes = 24 * 60

// clock reads HH:MM as minutes since midnight, 24:00 included.
func clock(s string) (int, bool) {
	if len(s) != 5 || s[2] != ':' {
		return 0, false
	}
	for i, c := range []byte(s) {
		if i != 2 && (c < '0' || c > '9') {
			return 0, false
		}
	}
	m := (int(s[0]-'0')*10+int(s[1]-'0'))*60 + int(s[3]-'0')*10 + int(s[4]-'0')
	return m, s[3] < '6' && m <= dayMinutes
}

func (w *Window) validate(f *Faults, at string) {
	for i, d := range w.Days {
		if !slices.Contains(days, d) {
			f.add(pointerAt(at+"/days", i), "%q is not a day (mon, tue, wed, thu, fri, sat, sun)", d)
		}
	}
	from, begins := clock(w.From)
	if !begins || from == dayMinutes {
		f.add(at+"/from", "must be a time from 00:00 to 23:59")
	}
	to, ends := clock(w.To)
	if !ends {
		f.add(at+"/to", "must be a time from 00:00 to 24:00")
	} else if begins && to == from {
		f.add(at+"/to", "is the same as from: a whole day is 00:00 to 24:00")
	}
	f.delta(at+"/stricter", w.Stricter)
	if w.Settings == nil {
		if w.Stricter == 0 {
			f.add(at, "changes nothing: it needs stricter or settings")
		}
		return
	}
	w.Settings.inner(f, at+"/settings", "change with the time of day")
}

// inner checks settings within those of a layer, which can't have everything; what
// names the thing that it can't do.
func (s *Settings) inner(f *Faults, at, what string) {
	s.validate(f, at)
	for key, has := range map[string]bool{
		"schedule": len(s.Schedule) > 0, "prohibited": len(s.Prohibited) > 0, "exceptions": len(s.Exceptions) > 0, "lists": len(s.Lists) > 0,
		"game_mode": s.GameMode != "", "countries": len(s.Countries) > 0, "time_zone": s.TimeZone != "", "escalate_mandatory": s.EscalateMandatory != nil,
		"segments": len(s.Segments) > 0,
	} {
		if has {
			f.add(at+"/"+key, "can't %s", what)
		}
	}
	s.mandatory(at, func(at string) { f.add(at, "can't %s", what) })
}

// window is a Window ready to be asked.
type window struct {
	days     [7]bool // on which it begins, by time.Weekday
	from, to int     // minutes of the day; to is after from, on the next day past 24:00
	stricter int
	settings *Settings
}

func (w *Window) compile() window {
	from, _ := clock(w.From)
	to, _ := clock(w.To) // both were validated
	if to < from {
		to += dayMinutes
	}
	out := window{from: from, to: to, stricter: w.Stricter, settings: w.Settings}
	for i, d := range days {
		out.days[i] = len(w.Days) == 0 || slices.Contains(w.Days, d)
	}
	return out
}

// open reports whether the window is open at a time of its zone. It goes by the
// wall clock: when that is put forward what it skips is skipped, when it is put
// back the hour that comes twice is twice what its wall clock says.
func (w *window) open(weekday time.Weekday, minute int) bool {
	return w.days[weekday] && minute >= w.from && minute < w.to ||
		w.days[(weekday+6)%7] && minute+dayMinutes < w.to
}

// scheduled is the schedules of the layers of a combination, in their order.
type scheduled struct {
	zone   *time.Location
	layers [][]window
}

// at returns which windows are open, a bit for each; of a layer's the first.
func (s *scheduled) at(t time.Time) (open uint64) {
	t = t.In(s.zone)
	hour, minute, _ := t.Clock()
	now, weekday, bit := 60*hour+minute, t.Weekday(), 0
	for _, windows := range s.layers {
		for i := range windows {
			if windows[i].open(weekday, now) {
				open |= 1 << (bit + i)
				break
			}
		}
		bit += len(windows)
	}
	return open
}

// String is how a window is shown: "mon,tue 22:00-06:00".
func (w *Window) String() string {
	s := w.From + "-" + w.To
	if len(w.Days) > 0 {
		s = strings.Join(w.Days, ",") + " " + s
	}
	return s
}
