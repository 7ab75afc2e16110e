package policies

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
	_ "time/tzdata" // a container may have no zones of its own

	"github.com/portcullis-gg/portcullis/engines/policy"
)

// Settings are how an app works on its policy.
type Settings struct {
	// TwoPerson: who wrote a change can't publish it, somebody else approves it first.
	TwoPerson bool
	// TimeZone is the IANA time zone of schedules where no layer names one; "" is UTC.
	TimeZone string
}

const (
	twoPersonKey = "two_person"
	timeZoneKey  = "time_zone"
)

// readSettings reads settings, JSON. An error is policy.Faults.
func readSettings(data []byte) (s Settings, err error) {
	var members map[string]any
	if json.Unmarshal(data, &members) != nil || members == nil {
		return s, policy.Faults{{Reason: "must be an object"}}
	}
	var faults policy.Faults
	for _, name := range slices.Sorted(maps.Keys(members)) {
		switch v := members[name]; name {
		case twoPersonKey:
			on, ok := v.(bool)
			if !ok {
				faults = append(faults, policy.Fault{Pointer: "/" + name, Reason: "must be true or false"})
			}
			s.TwoPerson = on
		case timeZoneKey:
			zone, ok := v.(string)
			if _, err := time.LoadLocation(zone); !ok || err != nil || zone == "Local" {
				faults = append(faults, policy.Fault{Pointer: "/" + name, Reason: "must be an IANA time zone such as Asia/Tokyo"})
			}
			s.TimeZone = zone
		default:
			faults = append(faults, policy.Fault{Pointer: "/" + name, Reason: "is not known here"})
		}
	}
	if len(faults) > 0 {
		return Settings{}, faults
	}
	return s, nil
}

// body is settings as they are stored.
func (s Settings) body() string {
	b, err := json.Marshal(map[string]any{twoPersonKey: s.TwoPerson, timeZoneKey: s.TimeZone})
	if err != nil { // of a truth value and a string, it does not happen
		return "{}"
	}
	return string(b)
}
