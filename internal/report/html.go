package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/table"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	page = template.Must(template.New("report").Parse(strings.ReplaceAll(pageText, "STYLE", pageStyle)))
)

// PageCSP is the Content-Security-Policy of a report's page: nothing but its own
// style, and no one may frame it.
var PageCSP = func() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-modals"
}()

// HTML is the report as a page of its own, to read and to print, in one of Languages.
func (r *Report) HTML(language string) ([]byte, error) {
	p := printer{lang: max(slices.Index(Languages, language), 0), kind: r.Kind}
	zone, err := Zone(r.Zone)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	p.zone = zone
	view := pageView{
		Lang: Languages[p.lang], Title: p.word("title." + r.Kind), App: string(r.App), Note: p.word("note." + r.Kind),
		AppName: p.word("app"), PeriodName: p.word("period"), MadeName: p.word("made"), None: p.word("none"),
		From: p.time(r.From), To: p.time(r.To), Made: p.time(r.Made), Zone: zone.String(),
	}
	for i := range r.Sections {
		view.Sections = append(view.Sections, p.section(&r.Sections[i]))
	}
	var b bytes.Buffer
	if err := page.Execute(&b, view); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return b.Bytes(), nil
}

type (
	pageView struct {
		Lang, Title, App, Note              string
		AppName, PeriodName, MadeName, None string
		From, To, Made, Zone                string
		Sections                            []sectionView
	}
	sectionView struct {
		ID, Title string
		Figures   []figureView // of a table with one row
		Head      []headView
		Rows      [][]cellView
		Bars      []barView
		Labels    []labelView
	}
	figureView struct{ Name, Value string }
	headView   struct {
		Name   string
		Number bool
	}
	cellView struct {
		Text   string
		Number bool
		Bar    string // width of 60, "" for none
	}
	barView struct {
		X, Y, Width, Height, Class, Title string
	}
	labelView struct{ X, Text string }
)

// printer writes values as people read them.
type printer struct {
	lang int
	kind string
	zone *time.Location
}

// word is what an id is called, or the id itself.
func (p *printer) word(id string) string {
	if w, ok := words[id]; ok {
		return w[p.lang]
	}
	return id
}

func (p *printer) time(t time.Time) string { return t.In(p.zone).Format("2006-01-02 15:04") }

// hidden are columns that a page leaves to CSV and JSON.
func hidden(column string) bool {
	return strings.HasPrefix(column, "le_") || strings.HasPrefix(column, "over_")
}

// column is what a column of a table is called.
func (p *printer) column(name string) string {
	if name == "restrictions" { // the section has this name too
		name = "restrictions_count"
	}
	return p.word(name)
}

func isShare(column string) bool {
	switch column {
	case "precision", "blind_agreement", "within_20_ms", "share", "usual_share":
		return true
	}
	return strings.HasSuffix(column, "_share") || strings.HasSuffix(column, "_rate")
}

// value is a cell of a column.
func (p *printer) value(column string, v table.Value) string {
	switch v.Kind {
	case table.IsText:
		switch {
		case v.Text == "":
			return "–"
		case prefixed[column]:
			if w := p.word(column + "." + v.Text); w != column+"."+v.Text {
				return w
			}
		case column == "by" && v.Text == "app":
			return p.word("app_by")
		case named[column]:
			return p.word(v.Text)
		}
		return v.Text // a name that somebody else gave
	case table.IsInt:
		return grouped(v.Int)
	case table.IsTime:
		return p.time(v.Time())
	case table.IsReal:
		switch {
		case isShare(column):
			return percent(v.Real)
		case column == "change":
			return signed(v.Real)
		case column == "chance":
			return strconv.FormatFloat(v.Real, 'g', 2, 64)
		}
		if v.Real >= 100 {
			return grouped(int64(v.Real + .5))
		}
		return strconv.FormatFloat(v.Real, 'f', 1, 64)
	case table.None:
	}
	return "–"
}

// prefixed are the columns whose values have words of their own, with the column's name
// and a dot before them.
var prefixed = map[string]bool{"ground": true, "visibility": true, "automated_decision": true, "penalty": true}

// named are the columns whose values are ours to name.
var named = map[string]bool{"category": true, "mode": true, "source": true, "by": true}

func percent(x float64) string {
	digits := 1
	if x != 0 && x < .01 && x > -.01 {
		digits = 2
	}
	return strconv.FormatFloat(100*x, 'f', digits, 64) + " %"
}

func signed(x float64) string {
	s := strconv.FormatFloat(100*x, 'f', 0, 64) + " %"
	switch {
	case s == "0 %" || s == "-0 %":
		return "±0 %"
	case x > 0:
		return "+" + s
	}
	return "−" + strings.TrimPrefix(s, "-")
}

// grouped is a number with thin spaces between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202F" + s[i:]
	}
	return sign + s
}

func (p *printer) section(t *table.Table) sectionView {
	s := sectionView{ID: t.ID, Title: p.word(t.ID)}
	if t.Single {
		for _, row := range t.Rows {
			for i, v := range row {
				s.Figures = append(s.Figures, figureView{p.column(t.Columns[i]), p.value(t.Columns[i], v)})
			}
		}
		return s
	}
	var shown []int
	for i, c := range t.Columns {
		if hidden(c) {
			continue
		}
		shown = append(shown, i)
		number := len(t.Rows) > 0 && t.Rows[0][i].Kind != table.IsText && t.Rows[0][i].Kind != table.IsTime
		s.Head = append(s.Head, headView{p.column(c), number})
	}
	for _, row := range t.Rows {
		cells := make([]cellView, 0, len(shown))
		for _, i := range shown {
			v := row[i]
			c := cellView{Text: p.value(t.Columns[i], v), Number: v.Kind != table.IsText && v.Kind != table.IsTime}
			if t.Columns[i] == "share" && v.Kind == table.IsReal {
				c.Bar = strconv.FormatFloat(60*min(max(v.Real, 0), 1), 'f', 1, 64)
			}
			cells = append(cells, c)
		}
		s.Rows = append(s.Rows, cells)
	}
	if t.ID == "days" && len(t.Rows) > 1 {
		s.Bars, s.Labels = p.bars(t)
	}
	return s
}

// The chart of days, in the units of its view box.
const (
	chartWidth  = 720.0
	chartHeight = 140.0
)

// bars draws days as columns of passes, reviews and blocks.
func (p *printer) bars(t *table.Table) (list []barView, labels []labelView) {
	var most int64 = 1
	for _, row := range t.Rows {
		most = max(most, row[1].Int)
	}
	step := chartWidth / float64(len(t.Rows))
	f := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	for i, row := range t.Rows {
		y := chartHeight
		for j, class := range []string{"pass", "review", "block"} {
			n := row[j+2].Int
			h := chartHeight * float64(n) / float64(most)
			if n == 0 {
				continue
			}
			y -= h
			list = append(list, barView{
				X: f(float64(i)*step + step*.1), Y: f(y), Width: f(step * .8), Height: f(h), Class: class,
				Title: row[0].Text + ": " + p.word(class) + " " + grouped(n),
			})
		}
		if every := (len(t.Rows) + 9) / 10; i%every == 0 {
			labels = append(labels, labelView{f(float64(i)*step + step/2), row[0].Text[5:]})
		}
	}
	return list, labels
}
