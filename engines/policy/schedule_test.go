package policy_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

// strictnessAt is that of spam at a time in a zone.
func strictnessAt(s *policy.Set, item *engines.Item, at time.Time) int {
	for _, r := range s.Explain(item, at).Rules {
		if r.Category == engines.Spam && r.SubLabel == "" {
			return r.Strictness
		}
	}
	return 0
}

func TestSchedule(t *testing.T) {
	zone := func(name string) *time.Location {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return loc
	}
	tokyo, york := zone("Asia/Tokyo"), zone("America/New_York")
	const night = `schedule: [{from: "22:00", to: "06:00", stricter: 1}]`
	for _, c := range []struct {
		name, zone, schedule string
		at                   time.Time
		want                 int
	}{
		{"before", "Asia/Tokyo", night, time.Date(2030, 5, 1, 21, 59, 59, 0, tokyo), 3},
		{"at its beginning", "Asia/Tokyo", night, time.Date(2030, 5, 1, 22, 0, 0, 0, tokyo), 4},
		{"over midnight", "Asia/Tokyo", night, time.Date(2030, 5, 2, 0, 0, 0, 0, tokyo), 4},
		{"before its end", "Asia/Tokyo", night, time.Date(2030, 5, 2, 5, 59, 59, 0, tokyo), 4},
		{"at its end", "Asia/Tokyo", night, time.Date(2030, 5, 2, 6, 0, 0, 0, tokyo), 3},
		{"in another zone", "America/New_York", night, time.Date(2030, 5, 1, 22, 0, 0, 0, tokyo), 3},
		{"UTC where no zone is named", "", night, time.Date(2030, 5, 1, 22, 0, 0, 0, time.UTC), 4},
		// A Friday's night ends on Saturday, a Saturday's does not begin.
		{"a day's", "Asia/Tokyo", `schedule: [{days: [fri], from: "22:00", to: "06:00", stricter: 1}]`, time.Date(2030, 5, 4, 5, 0, 0, 0, tokyo), 4},
		{"the day after", "Asia/Tokyo", `schedule: [{days: [fri], from: "22:00", to: "06:00", stricter: 1}]`, time.Date(2030, 5, 4, 23, 0, 0, 0, tokyo), 3},
		{"the morning before", "Asia/Tokyo", `schedule: [{days: [fri], from: "22:00", to: "06:00", stricter: 1}]`, time.Date(2030, 5, 3, 5, 0, 0, 0, tokyo), 3},
		{"Saturday to Sunday", "Asia/Tokyo", `schedule: [{days: [sat], from: "22:00", to: "06:00", stricter: 1}]`, time.Date(2030, 5, 5, 5, 0, 0, 0, tokyo), 4},
		{"a whole day", "Asia/Tokyo", `schedule: [{days: [sun], from: "00:00", to: "24:00", stricter: -1}]`, time.Date(2030, 5, 5, 23, 59, 0, 0, tokyo), 2},
		// Of windows that overlap the first holds.
		{"two at once", "Asia/Tokyo", `schedule: [{from: "21:00", to: "23:00", stricter: 2}, {from: "22:00", to: "06:00", stricter: 1}]`, time.Date(2030, 5, 1, 22, 30, 0, 0, tokyo), 5},
		{"after the first", "Asia/Tokyo", `schedule: [{from: "21:00", to: "23:00", stricter: 2}, {from: "22:00", to: "06:00", stricter: 1}]`, time.Date(2030, 5, 1, 23, 0, 0, 0, tokyo), 4},
		{"settings", "Asia/Tokyo", `schedule: [{from: "21:00", to: "23:00", settings: {categories: {spam: {strictness: 1}}}}]`, time.Date(2030, 5, 1, 22, 0, 0, 0, tokyo), 1},
		// 10 March 2030: 02:00 EST is 03:00 EDT. 02:30 never comes; 02:00 to 04:00 is an hour.
		{"forward: before", "America/New_York", `schedule: [{from: "02:00", to: "04:00", stricter: 1}]`, time.Date(2030, 3, 10, 6, 59, 0, 0, time.UTC), 3},
		{"forward: in", "America/New_York", `schedule: [{from: "02:00", to: "04:00", stricter: 1}]`, time.Date(2030, 3, 10, 7, 0, 0, 0, time.UTC), 4},
		{"forward: end", "America/New_York", `schedule: [{from: "02:00", to: "04:00", stricter: 1}]`, time.Date(2030, 3, 10, 8, 0, 0, 0, time.UTC), 3},
		{"forward: a beginning that is skipped", "America/New_York", `schedule: [{from: "02:30", to: "05:00", stricter: 1}]`, time.Date(2030, 3, 10, 7, 0, 0, 0, time.UTC), 4},
		// 3 November 2030: 02:00 EDT is 01:00 EST. 01:30 comes twice.
		{"back: first 01:30", "America/New_York", `schedule: [{from: "01:30", to: "02:00", stricter: 1}]`, time.Date(2030, 11, 3, 5, 30, 0, 0, time.UTC), 4},
		{"back: 01:15 again", "America/New_York", `schedule: [{from: "01:30", to: "02:00", stricter: 1}]`, time.Date(2030, 11, 3, 6, 15, 0, 0, time.UTC), 3},
		{"back: second 01:30", "America/New_York", `schedule: [{from: "01:30", to: "02:00", stricter: 1}]`, time.Date(2030, 11, 3, 6, 30, 0, 0, time.UTC), 4},
		{"back: night goes on", "America/New_York", night, time.Date(2030, 11, 3, 6, 15, 0, 0, time.UTC), 4},
		{"summer, by the wall clock", "America/New_York", night, time.Date(2030, 7, 1, 22, 0, 0, 0, york), 4},
		{"winter, by the wall clock", "America/New_York", night, time.Date(2030, 1, 1, 22, 0, 0, 0, york), 4},
	} {
		text := c.schedule
		if c.zone != "" {
			text += "\ntime_zone: " + c.zone
		}
		s := layered(t, "global/default", text)
		if got := strictnessAt(s, &engines.Item{}, c.at); got != c.want {
			t.Errorf("%s: strictness %d at %s, want %d", c.name, got, c.at, c.want)
		}
	}
}

// TestScheduleInTime goes through two days minute by minute: what Resolve remembers
// is what Explain works out anew, with windows of several layers.
func TestScheduleInTime(t *testing.T) {
	s := layered(t,
		"global/default", `schedule: [{from: "00:10", to: "00:20", stricter: 1}, {days: [sat], from: "12:00", to: "12:01", stricter: 2}]`,
		"region/jp", "time_zone: Asia/Tokyo\nschedule: [{from: '23:30', to: '00:15', settings: {mode: pre_review}}]",
		"segment/minor", `schedule: [{from: "22:00", to: "06:00", stricter: 1}]`)
	item := &engines.Item{Text: "some text here", Region: "jp", Segment: "minor"}
	seen := map[*policy.Resolved]bool{}
	signal := []engines.Signal{sub(engines.Spam, "", 0.5)}
	for at := time.Date(2030, 5, 3, 20, 0, 0, 0, time.UTC); at.Before(time.Date(2030, 5, 5, 20, 0, 0, 0, time.UTC)); at = at.Add(time.Minute) {
		r := s.Resolve(item, at)
		seen[r] = true
		want := engines.Pass // 0.5 is below level 3
		if strictnessAt(s, item, at) >= 4 {
			want = engines.Review
		}
		if got := policy.Decide(item, signal, nil, engines.Standing{}, r); got.Suggestion != want {
			t.Fatalf("%s: %s, want %s", at, got.Suggestion, want)
		}
		local := at.In(time.FixedZone("JST", 9*3600))
		m := local.Hour()*60 + local.Minute()
		if held := r.Mode == engines.PreReview; held != (m >= 23*60+30 || m < 15) {
			t.Fatalf("%s: held %t", local, held)
		}
	}
	if len(seen) > 8 {
		t.Errorf("%d different rules in two days, want one for each set of open windows", len(seen))
	}
}

func TestSegmentsOfARegion(t *testing.T) {
	s := layered(t, "region/kr", "segments: {minor: {categories: {spam: {strictness: 5}}}}")
	for _, c := range []struct {
		item engines.Item
		want int
	}{{engines.Item{Region: "kr", Segment: "minor"}, 5}, {engines.Item{Region: "kr"}, 3}, {engines.Item{Segment: "minor"}, 3}, {engines.Item{Region: "kr", Segment: "trusted"}, 3}} {
		if got := strictnessAt(s, &c.item, time.Time{}); got != c.want {
			t.Errorf("%s %s: strictness %d, want %d", c.item.Region, c.item.Segment, got, c.want)
		}
	}
}
