package eval

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		said, wrote string
		words, want int
	}{
		{"go kill yourself", "Go, kill yourself!", 3, 0},
		{"you can't win", "you cant win", 3, 0},
		{"one two three", "one three", 3, 1},
		{"one two", "one and two too", 2, 2},
		{"", "thank you", 0, 2},
		{"死ね", "死な", 2, 1},
		{"안녕 하세요", "안녕하세요", 5, 0},
	} {
		want, have := spokenUnits(c.said), spokenUnits(c.wrote)
		if len(want) != c.words || distance(want, have) != c.want {
			t.Errorf("%q, %q: %d words, %d wrong; want %d, %d", c.said, c.wrote, len(want), distance(want, have), c.words, c.want)
		}
	}
}

type always string

func (a always) Recognise(context.Context, []float32, speech.Options) (speech.Result, error) {
	return speech.Result{Text: string(a), NoSpeech: 0.99}, nil
}

func TestWords(t *testing.T) {
	dir := t.TempDir()
	wav := func(name string) {
		b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x00\x7d\x00\x00")
		b = append(b, make([]byte, 32000)...)
		binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8)) //nolint:gosec // small
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wav("01-anna.wav")
	wav("02-ben.wav")
	wav("03-nobody.wav") // without a text: not looked at
	for name, text := range map[string]string{"01-anna.txt": "push mid now", "02-ben.txt": "push now"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	open := func(model, language string) (speech.Recogniser, error) {
		return always(model + " mid " + language), nil
	}
	err := Words(context.Background(), open, []string{"--words", dir, "--model", "push", "--language", "now", "--wrong", "--noise", "10"}, &out, &out)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{"02-ben.wav said push now wrote push mid now", "anna 1 3 0 0.0% 1", "ben 1 2 1 50.0% 1", "all 2 5 1 20.0% 2"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if strings.Contains(got, "nobody") {
		t.Errorf("a recording without a text was counted:\n%s", out.String())
	}
	if err := Words(context.Background(), open, []string{"--words", t.TempDir()}, &out, &out); err == nil {
		t.Error("an empty folder is no error")
	}
}
