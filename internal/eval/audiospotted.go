package eval

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/sounds"
)

// spotted is what came of a voice.
type spotted struct {
	said, found, alarms int
	near, mistaken      int           // sentences that sound like a phrase, and those taken for one
	spoken              time.Duration // of ordinary speech but for these
}

func (t *spotted) add(o *spotted) {
	t.said, t.found, t.alarms, t.spoken = t.said+o.said, t.found+o.found, t.alarms+o.alarms, t.spoken+o.spoken
	t.near, t.mistaken = t.near+o.near, t.mistaken+o.mistaken
}

func (t *spotted) print(w io.Writer, voice string) error {
	low, high := Wilson(t.found, max(1, t.said))
	line := fmt.Sprintf("%-34s %4d of %4d phrases found: %.2f (95 %%: %.2f to %.2f)", voice, t.found, t.said, float64(t.found)/float64(max(1, t.said)), low, high)
	if t.spoken > 0 {
		line += fmt.Sprintf("; %d false alarms in %.1f min of ordinary speech (95 %%: at most %.1f an hour)", t.alarms, t.spoken.Minutes(), mostExpected(t.alarms)/t.spoken.Hours())
	}
	if t.near > 0 {
		line += fmt.Sprintf("; %d of %d sentences that sound like a phrase taken for it", t.mistaken, t.near)
	}
	_, err := fmt.Fprintln(w, line)
	return err //nolint:wrapcheck // of the output
}

// mostExpected is how many are to be expected at most where n came: the one-sided exact
// bound of 95 % for a Poisson process (Garwood 1936), found by halving.
func mostExpected(n int) float64 {
	low, high := 0.0, 10+3*float64(n)
	for range 50 {
		mean := (low + high) / 2
		fewer, term := 0.0, math.Exp(-mean) // P(no more than n), given the mean
		for k := range n + 1 {
			fewer += term
			term *= mean / float64(k+1)
		}
		if fewer > 0.05 {
			low = mean
		} else {
			high = mean
		}
	}
	return high
}

// lose takes packets away, each by itself.
func lose(packets [][]byte, share float64, r *rand.Rand) {
	for i := range packets {
		if r.Float64() < share {
			packets[i] = nil
		}
	}
}

// encode has opusenc make an Ogg/Opus file as a caller's client would send it, wide band as
// the gateway asks for; one that reports have told of loss puts each packet into the next
// once more, as far as the bits go.
func encode(ctx context.Context, pcm []float32, fec bool, loss float64) ([]byte, error) {
	wav := make([]byte, 0, 2*len(pcm))
	for _, v := range sounds.Limit(pcm) {
		wav = binary.LittleEndian.AppendUint16(wav, uint16(int16(v*32767))) //nolint:gosec // its two's complement
	}
	args := []string{"--quiet", "--raw", "--raw-rate", "16000", "--raw-chan", "1", "--raw-bits", "16", "--bitrate", "24", "--framesize", "20", "--speech"}
	if fec {
		const inbandFEC = "4012=1"
		args = append(args, "--set-ctl-int", inbandFEC, "--expect-loss", strconv.Itoa(int(math.Round(100*loss))))
	}
	c := exec.CommandContext(ctx, "opusenc", append(args, "-", "-")...) //nolint:gosec // numbers of our own
	c.Stdin = bytes.NewReader(wav)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("opusenc: %w", err)
	}
	return out, nil
}

// voiceNamed is a voice of a synthesiser, such as flite:slt.
func voiceNamed(name string) (says, error) {
	with, voice, _ := strings.Cut(name, ":")
	switch {
	case voice == "":
	case with == flite:
		return fliteVoice(voice, 1), nil
	case with == espeak:
		return espeakVoice(voice, 50, 150), nil
	case with == "festival":
		return festivalVoice(voice), nil
	}
	return nil, errors.New(name + " is no voice, which flite:slt, espeak-ng:en-us+f4 and festival:ked_diphone are")
}

// festivalVoice is one of festival, whose program writes files alone.
func festivalVoice(voice string) says {
	return func(ctx context.Context, text string) ([]float32, error) {
		dir, err := os.MkdirTemp("", "portcullis-eval-")
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the folder
		}
		defer func() { _ = os.RemoveAll(dir) }()
		in, out := filepath.Join(dir, "in.txt"), filepath.Join(dir, "out.wav")
		if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
			return nil, err //nolint:wrapcheck // it names the file
		}
		if b, err := exec.CommandContext(ctx, "text2wave", "-eval", "(voice_"+voice+")", "-o", out, in).CombinedOutput(); err != nil { //nolint:gosec // a voice's name
			return nil, fmt.Errorf("text2wave: %w: %s", err, bytes.TrimSpace(b))
		}
		return recording(ctx, out)
	}
}
