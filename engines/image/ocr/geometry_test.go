package ocr

import (
	"image"
	"math"
	"testing"
)

func TestSmallestRect(t *testing.T) {
	for degrees := -85.0; degrees <= 85; degrees += 10 {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		want := rect{middle: point{40, 30}, along: point{cos, sin}, width: 50, height: 8}
		w := want.window()
		corner := func(u, v float64) point { return w.origin.plus(w.right.times(u)).plus(w.down.times(v)) }
		got := smallestRect([]point{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(.3, .6), corner(.9, .2), corner(.5, 0)}).reading()
		if math.Abs(got.width-50) > 1e-6 || math.Abs(got.height-8) > 1e-6 || got.middle.minus(want.middle).length() > 1e-6 {
			t.Errorf("%v°: %+v", degrees, got)
		}
		if math.Abs(got.along.cross(want.along)) > 1e-6 {
			t.Errorf("%v°: runs along %v, want %v", degrees, got.along, want.along)
		}
		if !got.upright() && got.along.x < 0 || got.upright() && got.along.y < 0 {
			t.Errorf("%v°: reads backwards: %v", degrees, got.along)
		}
	}
}

func TestBlobs(t *testing.T) {
	rows := []string{
		"##...#",
		"..#..#",
		"...#..",
		"#....#",
		"####.#",
		"...#.#",
		"..##..",
		"#.....",
	}
	var values []float32
	for _, r := range rows {
		for _, c := range r {
			values = append(values, map[rune]float32{'#': 0.9, '.': 0.1}[c])
		}
	}
	var sizes []int
	for _, b := range blobs(values, 6, len(rows), 0.3, 100) {
		sizes = append(sizes, b.pixels)
		if math.Abs(b.sum-0.9*float64(b.pixels)) > 1e-5 {
			t.Errorf("sum %v of %d pixels", b.sum, b.pixels)
		}
	}
	want := []int{4, 2, 8, 3, 1} // corners touch
	if len(sizes) != len(want) {
		t.Fatalf("sizes %v, want %v", sizes, want)
	}
	for i := range want {
		if sizes[i] != want[i] {
			t.Errorf("sizes %v, want %v", sizes, want)
			break
		}
	}
	if n := len(blobs(values, 6, len(rows), 0.3, 2)); n != 2 {
		t.Errorf("%d blobs, want the limit of 2", n)
	}
}

func TestDecode(t *testing.T) {
	rec := &recogniser{signs: []string{"", "a", "b", " "}}
	p := func(best ...int) []float32 {
		var all []float32
		for _, b := range best {
			row := []float32{0.05, 0.05, 0.05, 0.05}
			row[b] = 0.8
			all = append(all, row...)
		}
		return all
	}
	steps := []int{0, 1, 1, 0, 1, 2, 2, 3, 3, 1, 0, 3}
	got := rec.decode(p(steps...), len(steps), 14.5)
	if got.text != "aab a" || got.gap != 2.5 || math.Abs(got.confidence-0.8) > 1e-6 {
		t.Errorf("decode = %+v, want aab a, sure to 0.8, and 2.5 steps of nothing", got)
	}
	if got := rec.decode(p(0, 0, 0, 1, 0), 5, 5); got.gap != 3 {
		t.Errorf("decode = %+v, want 3 steps of nothing", got)
	}
	if got := rec.decode(p(0, 0), 2, 2); got.text != "" || got.confidence != 0 || got.gap != 2 {
		t.Errorf("decode of nothing = %+v", got)
	}
}

func TestLift(t *testing.T) {
	// A light line with a dark outline over a scene in between, and the reverse.
	for _, ink := range []byte{230, 20} {
		edge := 250 - ink
		b := &bitmap{w: 120, h: 40, pix: make([]byte, 3*120*40)}
		for y := range 40 {
			for x := range 120 {
				v := byte(110 + (x*7+y*13)%30)
				switch {
				case y >= 14 && y < 26 && x%12 >= 4 && x%12 < 7:
					v = ink
				case y >= 12 && y < 28 && x%12 >= 2 && x%12 < 9:
					v = edge
				}
				for c := range 3 {
					b.pix[3*(y*120+x)+c] = v
				}
			}
		}
		likely, other := b.lift(rect{middle: point{60, 20}, along: point{1, 0}, width: 120, height: 40})
		at := func(g []byte, w, x, y int) byte { // places of the line as it was drawn
			return g[(y*liftHeight/40+liftMargin)*w+x*liftHeight/40+liftMargin]
		}
		inkOf := func(pix []byte, w int) bool {
			return at(pix, w, 5, 20) < 40 && at(pix, w, 3, 20) > 200 && at(pix, w, 10, 3) > 150
		}
		if !inkOf(likely.Pix, likely.Width) && !inkOf(other.Pix, other.Width) {
			t.Errorf("ink of %d: neither way shows it dark on white", ink)
		}
	}
}

func TestPlausible(t *testing.T) {
	for _, c := range []struct {
		script, text, network string
		confidence, sure      float64
		want                  bool
	}{
		{Korean, "레벨 12 달성", "12", 0.9, 0.5, true},
		{Korean, "레벨 12 달성", "12", 0.4, 0.5, false},
		{Korean, "롤핏민0909 3 05 6625 주", "Ping 30 ms FPS 5612", 0.8, 0.9, false},
		{Korean, "띠띠띠", "", 0.9, 0.5, false}, // likewise
		{Korean, "AB 한 CDE", "", 0.9, 0.5, false},
		{Thai, "ระวังทางข้างหน้า", "", 0.8, 0.5, true},
		{Thai, "แพพแพพแ", "", 0.9, 0.5, false}, // what fences read as
		{Thai, "ข๑ชรว9ขณุง", "", 0.9, 0.5, false},
		{Vietnamese, "Nhấn E để nhặt Dao lửa", "Nhn E đ nht Dao la", 0.9, 0.5, true},
		{Vietnamese, "hoàn toàn khác", "Nhn E đ nht Dao la", 0.9, 0.5, false},
	} {
		if got := plausible(c.script, reading{text: c.text, confidence: c.confidence}, &line{at: rect{width: 200, height: 20}, reading: reading{text: c.network, confidence: c.sure}}); got != c.want {
			t.Errorf("plausible(%s, %q, %v) = %v", c.script, c.text, c.confidence, got)
		}
	}
}

func TestBandOfALineThatSomethingClingsTo(t *testing.T) {
	const w, h = 300, 100
	values := make([]float32, w*h)
	slope := 0.1
	for x := 20; x < 260; x++ {
		top := 40 + int(slope*float64(x-20))
		bottom := top + 10
		if x > 120 && x < 170 { // a wall below
			bottom = 95
		}
		for y := top; y < bottom; y++ {
			values[y*w+x] = 0.95
		}
	}
	found := (&detector{cfg: Defaults()}).boxes(values, w, h, Defaults().BoxScore)
	if len(found) != 1 {
		t.Fatalf("%d boxes", len(found))
	}
	got := found[0]
	if a := got.along.y / got.along.x; math.Abs(a-slope) > 0.02 || got.height > 30 || math.Abs(got.middle.y-57) > 3 || got.width < 240 {
		t.Errorf("%+v: slope %.3f, want one of %v, about 10 high before it is grown", got, a, slope)
	}
}

// TestCloser: parts that overlap are looked at once, as close as the closest of them, at a
// multiple of 32 px, within the picture.
func TestCloser(t *testing.T) {
	var list []part
	for i, r := range []image.Rectangle{image.Rect(0, 0, 40, 30), image.Rect(100, 0, 140, 30), image.Rect(30, 10, 110, 20), image.Rect(0, 50, 9, 60)} {
		list = joined(append(list, part{r, []float64{0.7, 1, 0.8, 0.75}[i]}))
	}
	if len(list) != 2 || list[0] != (part{image.Rect(0, 0, 140, 30), 1}) || list[1].scale != 0.75 {
		t.Errorf("joined to %v", list)
	}
	b := &bitmap{w: 500, h: 70}
	for _, r := range []image.Rectangle{image.Rect(0, 0, 33, 20), image.Rect(450, 50, 500, 70), image.Rect(100, 5, 228, 69)} {
		got := whole32(r, 1, b)
		if !r.In(got) || !got.In(image.Rect(0, 0, 500, 70)) || got.Dx()%32 != 0 || got.Dy()%32 != 0 && got.Dy() != 70 {
			t.Errorf("%v grew to %v", r, got)
		}
	}
}

func TestStrokes(t *testing.T) {
	for _, c := range []struct {
		script, text string
		want         bool
	}{
		{Korean, "치르 부릭이6502", true},
		{Korean, "비비", false},
		{Korean, "66041", false},
		{Korean, "", false},
		{Thai, "ภารยิวปูวเจ็ว", true},
		{Thai, "แล", false},
		{Vietnamese, "", true},
	} {
		if got := strokes(c.script, c.text); got != c.want {
			t.Errorf("%s %q: %v", c.script, c.text, got)
		}
	}
}

func TestConfigOfZero(t *testing.T) {
	if got := (Config{}).withDefaults(); got != Defaults() {
		t.Errorf("%+v", got)
	}
	if got := (Config{Side: 700}).withDefaults(); got.Side != 700 || got.MostLines != Defaults().MostLines {
		t.Errorf("%+v", got)
	}
}
