package ocr

import "testing"

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
