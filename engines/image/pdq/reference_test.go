package pdq

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// write has TestReference write its pictures for the reference implementation, as
// testdata/README.md tells.
var write = flag.String("pdq.write", "", "write the pictures of testdata/reference.tsv to this folder")

// referenceSizes are of pictures below, at and above what the algorithm works on.
var referenceSizes = [][2]int{
	{400, 300},
	{512, 512},
	{640, 360},
	{256, 256},
	{64, 64},
	{100, 37},
	{300, 500},
	{513, 20},
	{800, 250},
	{129, 128},
	{5, 5},
	{7, 300},
	{400, 400},
	{384, 200},
	{200, 700},
	{63, 65},
}

const referencePictures = 64

func referencePicture(i int) *image.RGBA {
	size := referenceSizes[i%len(referenceSizes)]
	img := scene(uint64(i)+1, size[0], size[1])
	if faint := uint8(1 + i%7); faint > 2 { // some with little to see
		for at, v := range img.Pix {
			if at%4 < 3 {
				img.Pix[at] = 100 + v/(faint*faint/2)
			}
		}
	}
	return img
}

// Hashes, those of all views and qualities are what the reference implementation made
// of the same pixels.
func TestReference(t *testing.T) {
	if *write != "" {
		writeReference(t)
	}
	data, err := os.ReadFile("testdata/reference.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	n := 0
	for ; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 2+Views {
			t.Fatalf("line %d of reference.tsv has %d fields", n+1, len(fields))
		}
		img := referencePicture(n)
		hash, quality := Sum(img)
		if got := strconv.Itoa(quality); got != fields[1] {
			t.Errorf("picture %s: quality %s, want %s", fields[0], got, fields[1])
		}
		if got := Hash(hash).String(); got != fields[2] {
			t.Errorf("picture %s of quality %d: hash %s, want %s", fields[0], quality, got, fields[2])
		}
		views, _ := Dihedral(img)
		for v, h := range views {
			if got := h.String(); got != fields[2+v] {
				t.Errorf("picture %s, view %d: hash %s, want %s", fields[0], v, got, fields[2+v])
			}
		}
	}
	if n != referencePictures {
		t.Errorf("reference.tsv has %d pictures, want %d", n, referencePictures)
	}
}

// writeReference writes the pictures as NNN.ppm, those over 512 px as the pixels that
// the reference's command line tool would take of them: its library leaves that to it.
func writeReference(t *testing.T) {
	t.Helper()
	for i := range referencePictures {
		img := referencePicture(i)
		w, h := img.Rect.Dx(), img.Rect.Dy()
		nw, nh := w, h
		if w > side || h > side {
			nw, nh = side, side
		}
		out := fmt.Appendf(nil, "P6\n%d %d\n255\n", nw, nh)
		for y := range nh {
			for x := range nw {
				c := img.RGBAAt(x*w/nw, y*h/nh)
				out = append(out, c.R, c.G, c.B)
			}
		}
		if err := os.WriteFile(filepath.Join(*write, fmt.Sprintf("%03d.ppm", i)), out, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
