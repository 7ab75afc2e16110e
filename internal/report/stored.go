package report

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/table"
)

// section is a table as it is stored: each value has a letter in front that says what
// it is.
type section struct {
	ID      string
	Single  bool
	Columns []string
	Rows    [][]string
}

// body is the report's sections as they are stored.
func (r *Report) body() ([]byte, error) {
	list := make([]section, len(r.Sections))
	for i, t := range r.Sections {
		list[i] = section{t.ID, t.Single, t.Columns, make([][]string, len(t.Rows))}
		for j, row := range t.Rows {
			list[i].Rows[j] = make([]string, len(row))
			for k, v := range row {
				list[i].Rows[j][k] = lettered(v)
			}
		}
	}
	return json.Marshal(list)
}

// read is a stored report.
func read(run *store.ReportRun) (*Report, error) {
	r := &Report{ID: run.ID, App: run.App, Kind: run.Kind, Period: run.Period, Zone: run.Zone, From: run.From, To: run.To, Made: run.Created}
	var list []section
	if err := json.Unmarshal(run.Body, &list); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	for _, s := range list {
		t := table.Table{ID: s.ID, Single: s.Single, Columns: s.Columns}
		for _, cells := range s.Rows {
			if len(cells) != len(s.Columns) {
				return nil, fmt.Errorf("%w: a row of %s has %d values", ErrUnreadable, s.ID, len(cells))
			}
			row := make([]table.Value, len(cells))
			for i, c := range cells {
				var err error
				if row[i], err = unlettered(c); err != nil {
					return nil, fmt.Errorf("%w: %s: %w", ErrUnreadable, s.ID, err)
				}
			}
			t.Rows = append(t.Rows, row)
		}
		r.Sections = append(r.Sections, t)
	}
	return r, nil
}

func lettered(v table.Value) string {
	switch v.Kind {
	case table.IsText:
		return "s" + v.Text
	case table.IsInt:
		return "i" + strconv.FormatInt(v.Int, 10)
	case table.IsTime:
		return "t" + strconv.FormatInt(v.Int, 10)
	case table.IsReal:
		return "r" + strconv.FormatFloat(v.Real, 'g', -1, 64)
	case table.None:
	}
	return ""
}

func unlettered(s string) (v table.Value, err error) {
	if s == "" {
		return v, nil
	}
	switch rest := s[1:]; s[0] {
	case 's':
		v = table.Text(rest)
	case 'i':
		v.Kind = table.IsInt
		v.Int, err = strconv.ParseInt(rest, 10, 64)
	case 't':
		v.Kind = table.IsTime
		v.Int, err = strconv.ParseInt(rest, 10, 64)
	case 'r':
		v.Kind = table.IsReal
		v.Real, err = strconv.ParseFloat(rest, 64)
	default:
		err = fmt.Errorf("no kind %q of value", s[:1])
	}
	return v, err
}
