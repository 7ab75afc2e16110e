package evidence

import (
	"context"
	"encoding/binary"
	"math"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/decode"
)

// wavHead is how long the header of a WAV file of ours is.
const wavHead = 44

// sound makes a WAV file of what the engines listened to: 16 kHz, mono, 16 bits, which
// every browser plays.
func (s *Service) sound(ctx context.Context, data []byte) (*Shown, error) {
	lim := decode.Default()
	lim.Bytes = int(s.cfg.MaxFile)
	lim.Duration = time.Duration(s.cfg.MaxFile/(2*engines.SoundRate)) * time.Second // as much as MaxFile again
	f, err := decode.Read(data, "", lim)
	if err != nil {
		return nil, err //nolint:wrapcheck // Shown does
	}
	out := make([]byte, wavHead, wavHead+2*engines.SoundRate*(f.DurationMS+1000)/1000)
	err = f.Unpack(ctx, func(pcm []float32) error {
		for _, v := range pcm {
			out = binary.LittleEndian.AppendUint16(out, uint16(int16(math.Round(float64(v)*math.MaxInt16))))
		}
		return nil
	})
	if err != nil && len(out) == wavHead {
		return nil, err //nolint:wrapcheck // as above
	}
	headWAV(out)
	return &Shown{"audio/wav", out}, nil
}

// headWAV fills in the header.
func headWAV(b []byte) {
	le := binary.LittleEndian
	copy(b, "RIFF")
	le.PutUint32(b[4:], uint32(len(b)-8))
	copy(b[8:], "WAVEfmt ")
	le.PutUint32(b[16:], 16)
	le.PutUint16(b[20:], 1) // PCM
	le.PutUint16(b[22:], 1)
	le.PutUint32(b[24:], engines.SoundRate)
	le.PutUint32(b[28:], 2*engines.SoundRate)
	le.PutUint16(b[32:], 2)
	le.PutUint16(b[34:], 16)
	copy(b[36:], "data")
	le.PutUint32(b[40:], uint32(len(b)-wavHead))
}
