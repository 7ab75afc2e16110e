package wire

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/table"
)

// AppendAnswer appends the members of an answer in figures: the period, and tables by
// their names.
func AppendAnswer(dst []byte, a *table.Answer) []byte {
	dst = When(When(dst, "from", a.From), "to", a.To)
	switch a.Step {
	case time.Hour:
		dst = Str(dst, "step", "hour")
	case 24 * time.Hour:
		dst = Str(dst, "step", "day")
	}
	for i := range a.Tables {
		dst = AppendTable(dst, &a.Tables[i])
	}
	return dst
}

// AppendTable appends a table as a member: an array of objects, or one object of a
// single one. A figure that there is none of is null.
func AppendTable(dst []byte, t *table.Table) []byte {
	row := func(dst []byte, i int) []byte {
		for j, v := range t.Rows[i] {
			dst = appendValue(dst, t.Columns[j], v)
		}
		return dst
	}
	if t.Single {
		return Obj(dst, t.ID, func(dst []byte) []byte {
			if len(t.Rows) == 0 {
				return dst
			}
			return row(dst, 0)
		})
	}
	return List(dst, t.ID, len(t.Rows), row)
}

func appendValue(dst []byte, name string, v table.Value) []byte {
	switch v.Kind {
	case table.IsText:
		return Str(dst, name, v.Text)
	case table.IsInt:
		return Num(dst, name, v.Int)
	case table.IsTime:
		return When(dst, name, v.Time())
	case table.IsReal:
		if !math.IsNaN(v.Real) && !math.IsInf(v.Real, 0) {
			return Raw(dst, name, []byte(strconv.FormatFloat(v.Real, 'g', 6, 64)))
		}
	case table.None:
	}
	return Raw(dst, name, []byte("null"))
}

// ReportRun is a stored report in a list.
type ReportRun struct {
	ID, Kind, Period, Zone, By string
	From, To, Created          time.Time
}

// AppendReportRun appends its members.
func AppendReportRun(dst []byte, r *ReportRun) []byte {
	dst = Str(Str(Str(dst, "report_id", r.ID), "kind", r.Kind), "period", r.Period)
	dst = When(When(Str(dst, "time_zone", r.Zone), "from", r.From), "to", r.To)
	return When(Str(dst, "by", r.By), "created_at", r.Created)
}

// ScheduleRequest is a report that is to be made each period.
type ScheduleRequest struct{ Kind, Period, Zone string }

// schedulesAtMost is how many an app has: each kind by each period.
const schedulesAtMost = 16

// ReadSchedules reads what an app wants reports of; zone says what is wrong with the
// name of a time zone, "" where nothing is.
func ReadSchedules(o *Object, kinds, periods []string, zone func(name string) string) ([]ScheduleRequest, error) {
	var list []ScheduleRequest
	if !o.Has("schedules") {
		o.Fault("schedules", "is required")
	}
	seen := map[[2]string]bool{}
	err := o.Each("schedules", schedulesAtMost, func(_ int, e *Object) {
		r := ScheduleRequest{Kind: e.required("kind", kinds), Period: e.required("period", periods), Zone: "UTC"}
		if name, ok := e.Text("time_zone"); ok && name != "" {
			r.Zone = strings.Clone(name)
			if why := zone(name); why != "" {
				e.Fault("time_zone", why)
			}
		}
		if key := [2]string{r.Kind, r.Period}; seen[key] {
			e.Fault("period", "stands twice for this kind")
		} else {
			seen[key] = true
		}
		list = append(list, r)
	})
	if err != nil {
		return nil, err
	}
	return list, o.Err()
}
