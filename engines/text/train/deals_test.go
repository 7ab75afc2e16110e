package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/text"
)

// hearing is a network that answers by what a text says.
type hearing func(s string) [text.Answers]float64

func (h hearing) Read(_ context.Context, s string) ([text.Answers]float64, bool) { return h(s), true }

// knowing tells the crimes of dealRows, and nothing else.
func knowing(s string) (a [text.Answers]float64) {
	a = [text.Answers]float64{-4, -4, -4, -4, -4}
	if strings.Contains(s, "sorts") {
		a[text.DealCrime] = 4
	}
	return a
}

// dealRows are crimes in words that no list has, innocent lines beside them, and chat.
func dealRows() (rows []dealing) {
	add := func(format string, crime, sure bool) {
		for i, who := range [...]string{"my cousin", "somebody in town", "the guy", "an uncle", "the neighbour", "a mate"} {
			for _, thing := range [...]string{"papers", "parcel", "bottle", "box", "letter"} {
				for _, day := range [...]string{"monday", "friday", "noon"} {
					d := dealing{row: row{Text: fmt.Sprintf(format, who, thing, day, 20+i), Lang: "en", written: !sure}, sure: sure, known: [text.Kinds]bool{true, true, true}}
					if crime {
						d.Labels, d.Toxic = []engines.Category{engines.Illegal}, true
					}
					d.fold = int(hash(d.Text) >> 16 % folds)
					rows = append(rows, d)
				}
			}
		}
	}
	add("%s sorts the %s by %s, %d euros cash", true, false)
	add("%s wants the %s by %s, %d euros cash", false, false)
	add("%[1]s was late with the %[2]s on %[3]s again", false, true)
	return rows
}

// remembered counts what the cuts did together.
func remembered(rows []dealing, b dealBudgets) *dealer {
	for i := range rows {
		rows[i].kept = rows[i].before
	}
	return &dealer{rows: rows, budgets: b}
}

// TestFitDeals has a network that knows raise what the first stage does not find, within the
// budgets, and gives the same weighing every time.
func TestFitDeals(t *testing.T) {
	budgets := dealBudgets{asked: 0.02, raised: 0.02, lost: 0.01, denied: 0.01}
	var out bytes.Buffer
	rows := dealRows()
	w, err := fitDeals(t.Context(), rows, hearing(knowing), budgets, &out)
	if err != nil {
		t.Fatal(err)
	}
	if w.Kinds[1].Weights[text.DealCrime] <= 0 || w.Raise >= never {
		t.Errorf("%s", out.String())
	}
	f := remembered(rows, budgets)
	crime := func(d *dealing) bool { return d.Toxic }
	before, after := f.share(crime, func(d *dealing) bool { return d.before }), f.share(crime, func(d *dealing) bool { return d.after })
	if after < before+0.2 || !f.modest() || !f.cheap(2*budgets.lost, allGroups) {
		t.Errorf("found %.2f, before %.2f\n%s", after, before, out.String())
	}
	if asked := f.share(func(d *dealing) bool { return d.sure }, func(d *dealing) bool { return d.asked }); asked > budgets.asked {
		t.Errorf("%.3f of ordinary chat is asked about", asked)
	}
	var once bytes.Buffer
	again, err := fitDeals(t.Context(), dealRows(), hearing(knowing), budgets, &once)
	if err != nil || !reflect.DeepEqual(again, w) || once.String() != out.String() {
		t.Errorf("fitted again: %+v, %v; want %+v", again, err, w)
	}
}

// TestFitDealsKnowsNothing has a network that answers by chance change next to nothing.
func TestFitDealsKnowsNothing(t *testing.T) {
	rows := dealRows()
	noise := func(s string) (a [text.Answers]float64) {
		for i := range a {
			a[i] = float64(hash(s)>>(8*i)%9) - 4
		}
		return a
	}
	budgets := dealBudgets{asked: 0.02, raised: 0.02, lost: 0.01, denied: 0.01}
	if _, err := fitDeals(t.Context(), rows, hearing(noise), budgets, io.Discard); err != nil {
		t.Fatal(err)
	}
	if f := remembered(rows, budgets); !f.modest() || !f.cheap(2*budgets.lost, allGroups) {
		t.Error("noise costs more than the budgets allow")
	}
}

// TestDealsMain runs the command on a handful of rows, and without a network.
func TestDealsMain(t *testing.T) {
	dir := t.TempDir()
	writeRows(t, dir+"/permissive.jsonl.gz")
	out, missing := dir+"/deals.json", errors.New("was not fetched")
	args := []string{"text-deals", "--data", dir, "--lines", "testdata/lines", "--out", out}
	without := func(string) (text.Second, func() error, error) { return text.Second{}, nil, missing }
	if err := Main(t.Context(), args, without, io.Discard, io.Discard); !errors.Is(err, missing) {
		t.Errorf("without a network: %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("weights are written all the same")
	}
	with := func(string) (text.Second, func() error, error) {
		return text.Second{Meaning: hearing(knowing)}, func() error { return nil }, nil
	}
	if err := Main(t.Context(), args, with, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := text.ReadWeighing(file); err != nil {
		t.Error(err)
	}
	if err := Main(t.Context(), []string{"text-deals"}, nil, io.Discard, io.Discard); !errors.Is(err, ErrUsage) {
		t.Errorf("without folders: %v", err)
	}
}

// Deals that are lost do not decide what is taken back of abuse, abuse does.
func TestCheapByAbuseAlone(t *testing.T) {
	rows := func(label engines.Category) (list []dealing) {
		for range 10 {
			list = append(list, dealing{row: row{Toxic: true, written: true, Labels: []engines.Category{label}}, before: true})
		}
		return list
	}
	deals, abuse := &dealer{rows: rows(engines.Spam)}, &dealer{rows: rows(engines.Harassment)}
	for _, f := range []*dealer{deals, abuse} {
		for i := range f.rows {
			f.rows[i].kept = true
		}
	}
	w := &text.Weighing{}
	for _, c := range bound(w) {
		if got, want := deals.cheap(0.025, c.groups), c.cut == &w.Calm; got != want {
			t.Errorf("deals may be lost: %v, want %v", got, want)
		}
		if abuse.cheap(0.025, c.groups) {
			t.Error("all abuse may be lost")
		}
	}
}
