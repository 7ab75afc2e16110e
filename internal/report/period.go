package report

import (
	"fmt"
	"slices"
	"time"
	_ "time/tzdata" // where the machine has no time zones of its own
)

// Periods of schedules.
const (
	Day   = "day"
	Week  = "week" // from Monday on (ISO 8601)
	Month = "month"
)

// Periods lists them.
var Periods = []string{Day, Week, Month}

// Zone finds a time zone by its name; "" is UTC, and the machine's own is none.
func Zone(name string) (*time.Location, error) {
	if name == "Local" {
		return nil, fmt.Errorf("time zone %q: not of the database", name)
	}
	return time.LoadLocation(name)
}

// Begin is when the period began that a time is in. Counts are by the hour: in a zone
// whose days begin between hours, it is the hour before.
func Begin(period string, at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	year, month, day := local.Date()
	switch period {
	case Week:
		day -= (int(local.Weekday()) + 6) % 7
	case Month:
		day = 1
	}
	return time.Date(year, month, day, 0, 0, 0, 0, zone).UTC()
}

// End is when it ends.
func End(period string, at time.Time, zone *time.Location) time.Time {
	year, month, day := Begin(period, at, zone).In(zone).Date()
	switch period {
	case Week:
		day += 7
	case Month:
		month++
	default:
		day++
	}
	return time.Date(year, month, day, 0, 0, 0, 0, zone).UTC()
}

// ValidPeriod reports whether there is such a period.
func ValidPeriod(period string) bool { return slices.Contains(Periods, period) }
