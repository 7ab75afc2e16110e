package speech_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

func TestGate(t *testing.T) {
	sure := speech.Result{Text: "kill them all", NoSpeech: 0.05, AvgLogProb: -0.3}
	with := func(change func(*speech.Result)) speech.Result {
		r := sure
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		r      speech.Result
		voiced int64
		want   string
	}{
		"sure":                      {sure, 1000, ""},
		"silence and unsure":        {with(func(r *speech.Result) { r.NoSpeech, r.AvgLogProb = 0.95, -1.4 }), 3000, speech.ReasonNoSpeech},
		"silence, however sure":     {with(func(r *speech.Result) { r.NoSpeech = 0.95 }), 3000, speech.ReasonNoSpeech},
		"a little silence, sure":    {with(func(r *speech.Result) { r.NoSpeech = 0.7 }), 3000, ""},
		"unsure":                    {with(func(r *speech.Result) { r.AvgLogProb = -1.1 }), 3000, speech.ReasonUnsure},
		"a click":                   {sure, 64, speech.ReasonNoVoice},
		"repeats":                   {with(func(r *speech.Result) { r.Cut = true }), 3000, speech.ReasonRepeats},
		"more than fits":            {with(func(r *speech.Result) { r.Text = strings.Repeat("kill them all ", 5) }), 500, speech.ReasonTooFast},
		"much in Japanese":          {with(func(r *speech.Result) { r.Text = "ご視聴ありがとうございました" }), 500, speech.ReasonTooFast},
		"fast and short":            {with(func(r *speech.Result) { r.Text = "get out of here" }), 400, ""},
		"said twice, and time ran":  {with(func(r *speech.Result) { r.Text = "no no no no no" }), 1500, ""},
		"nothing written, no voice": {speech.Result{}, 0, speech.ReasonNoVoice},
	} {
		g := speech.DefaultGate()
		if got := g.Judge(&c.r, c.voiced); got != c.want {
			t.Errorf("%s: Judge = %q, want %q", name, got, c.want)
		}
	}
}

func TestSameAgain(t *testing.T) {
	whole := func(from, to int64, text string) speech.Window {
		return speech.Window{FromMS: from, ToMS: to, Whole: true, Text: text}
	}
	for name, c := range map[string]struct {
		in   []speech.Window
		want []bool
	}{
		"one after the other": {[]speech.Window{whole(0, 30, "x"), whole(30, 60, "X."), whole(60, 90, "x")}, []bool{true, true, true}},
		"a row among others":  {[]speech.Window{whole(0, 30, "a"), whole(30, 60, "x"), whole(60, 90, "x")}, []bool{false, true, true}},
		"said again later":    {[]speech.Window{whole(0, 30, "x"), whole(40, 60, "x")}, []bool{false, false}},
		"not from border to border": {[]speech.Window{
			{FromMS: 0, ToMS: 30, Text: "go"}, {FromMS: 30, ToMS: 60, Text: "go"},
		}, []bool{false, false}},
		"nothing": {[]speech.Window{whole(0, 30, ""), whole(30, 60, "")}, []bool{false, false}},
		"none":    {nil, []bool{}},
	} {
		if got := speech.SameAgain(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: SameAgain = %v, want %v", name, got, c.want)
		}
	}
}

func TestBears(t *testing.T) {
	g := speech.DefaultGate()
	for name, c := range map[string]struct {
		w      speech.Word
		avg    float64
		reason string
		want   bool
	}{
		"a phrase":              {speech.Word{Listed: true, Phrase: true, Prob: 0.05}, -1.9, speech.ReasonUnsure, true},
		"in what is made up":    {speech.Word{Listed: true, Phrase: true, Prob: 0.05}, -2.1, speech.ReasonUnsure, false},
		"likely even there":     {speech.Word{Listed: true, Phrase: true, Prob: 0.5}, -2.1, speech.ReasonUnsure, true},
		"a word":                {speech.Word{Listed: true, Prob: 0.05}, -1.1, speech.ReasonUnsure, false},
		"a likely word":         {speech.Word{Listed: true, Prob: 0.5}, -1.1, speech.ReasonUnsure, true},
		"not looked for":        {speech.Word{Prob: 0.9}, -1.1, speech.ReasonUnsure, false},
		"of silence":            {speech.Word{Listed: true, Phrase: true, Prob: 0.9}, -0.1, speech.ReasonNoSpeech, false},
		"said over and over":    {speech.Word{Listed: true, Phrase: true, Prob: 0.9}, -0.1, speech.ReasonRepeats, false},
		"faster than it can be": {speech.Word{Listed: true, Phrase: true, Prob: 0.9}, -0.1, speech.ReasonTooFast, false},
	} {
		if got := g.Bears(&speech.Result{AvgLogProb: c.avg}, &c.w, c.reason); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
