package ocr

import "testing"

// TestSpaced: a space stands where the network that knows spaces sees room, more than
// elsewhere in the line, and not within a number.
func TestSpaced(t *testing.T) {
	for name, c := range map[string]struct {
		marks []mark
		room  map[int]float32
		want  string
	}{
		"nothing":    {nil, nil, ""},
		"one letter": {[]mark{{"님", 2}}, nil, "님"},
		"room after the third and the fourth": {
			[]mark{{"종", 2}, {"달", 6}, {"새", 9}, {"님", 14}, {"가", 19}, {"시", 22}},
			map[int]float32{12: 0.45, 17: 0.4},
			"종달새 님 가시",
		},
		"none between digits": {
			[]mark{{"레", 1}, {"벨", 4}, {"1", 9}, {"2", 11}, {"달", 16}, {"성", 19}},
			map[int]float32{7: 0.4, 13: 0.3},
			"레벨 12 달성",
		},
	} {
		room := make([]float32, 30)
		for step, v := range c.room {
			room[step] = v
		}
		if got := spaced(reading{marks: c.marks, room: make([]float32, 30), end: 30}, reading{room: room, end: 30}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// Room that is shorter than the line, or none, as of a line that was never read.
	if got := spaced(reading{marks: []mark{{"가", 2}, {"시", 40}, {"벌", 44}}}, reading{room: []float32{0.1}, end: 1}); len([]rune(got)) < 3 {
		t.Errorf("without room: %q", got)
	}
}

// TestCustoms: every line of what is embedded is read, and says what Korean does.
func TestCustoms(t *testing.T) {
	all := customs()
	if len(all) < 300 {
		t.Fatalf("%d signs", len(all))
	}
	for after, before := range map[rune]rune{'는': '그', '을': '수'} {
		if all[after].after < 0.5 || all[before].before < 0.5 {
			t.Errorf("after %c %+v, before %c %+v", after, all[after], before, all[before])
		}
	}
}

// TestForeign: what is not to be read gives way to the likeliest of the rest.
func TestForeign(t *testing.T) {
	rec := &recogniser{signs: []string{"", "引", "레", " "}, foreign: []bool{false, true, false, false}}
	got := rec.decode([]float32{0.1, 0.6, 0.3, 0, 1, 0, 0, 0, 0.1, 0.9, 0, 0}, 3, 3)
	if got.text != "레" || len(got.marks) != 1 || got.marks[0].step != 0 {
		t.Errorf("%+v", got)
	}
}
