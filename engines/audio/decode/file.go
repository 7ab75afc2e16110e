package decode

import (
	"context"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/foreign"
)

// File is a sound whose headers were read and are within the limits.
type File struct {
	Format     string
	SampleRate int // as sent
	Channels   int
	// DurationMS is what the headers come to; 0 where they don't say (a FLAC file that
	// was written as it was recorded). Unpack sets it to what it was.
	DurationMS int64
	// Trailing is how many bytes lie behind the sound's end.
	Trailing int

	limits Limits
	frames int64 // samples of a channel, as the headers have it
	unpack func(s *sink) error
	// decoded is the rate at which its decoder gives the sound; 0 is SampleRate.
	decoded int
}

// Read looks at the headers of a file. claim is the media type that it was said to
// have, "" for none. It keeps data, which must not change. Errors are engines.Refusal.
func Read(data []byte, claim string, lim Limits) (*File, error) {
	if len(data) == 0 {
		return nil, damaged("the file is empty")
	}
	if len(data) > lim.Bytes {
		return nil, tooLarge("the file has %d bytes; at most %d are taken", len(data), lim.Bytes)
	}
	format, what := sniff(data)
	if format == "" {
		if what == "" {
			what = "no format that we know"
		}
		return nil, unsupported("the content is %s; %s", what, Supported)
	}
	if err := agree(claim, format, what); err != nil {
		return nil, err
	}
	f := &File{Format: format, limits: lim}
	end, err := f.read(data)
	if err != nil {
		return nil, err
	}
	if err := lim.length(f.frames, f.Channels, f.SampleRate); err != nil {
		return nil, err
	}
	f.DurationMS = ms(f.frames, f.SampleRate)
	f.Trailing = len(data) - end
	if why := foreign.Behind(data, end, "sound"); why != "" {
		return nil, unsupported("%s", why)
	}
	return f, nil
}

// read has the format's own reader find out what there is, and where it ends.
func (f *File) read(data []byte) (end int, err error) {
	switch f.Format {
	case WAV:
		return f.readWAV(data)
	case FLAC:
		return f.readFLAC(data)
	case OggOpus:
		return f.readOgg(data)
	}
	return f.readMP3(data)
}

func ms(frames int64, rate int) int64 {
	return (frames*1000 + int64(rate)/2) / int64(rate)
}

// Unpack gives the sound at engines.SoundRate, mono, -1 to 1, in blocks that are good
// until the next one. It ends early with the error of each, or of ctx; other errors are
// engines.Refusal. A File is unpacked once at a time.
func (f *File) Unpack(ctx context.Context, each func(pcm []float32) error) (err error) {
	s := newSink(ctx, f, each)
	defer func() {
		// The libraries that decode are not ours, and what they are given is anybody's.
		if p := recover(); p != nil && !s.outside {
			err = damaged("it can't be decoded (%s)", f.Format)
		} else if p != nil {
			panic(p)
		}
	}()
	if err := f.unpack(s); err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	if s.frames == 0 {
		return damaged("there is no sound in it")
	}
	f.DurationMS = ms(s.frames, s.hz)
	return nil
}

// broken is what a decoder's own error comes to.
func broken(format string, err error) error {
	if errors.As(err, new(*engines.Refusal)) {
		return err
	}
	return damaged("the %s data can't be decoded: %s", format, short(err))
}

// short keeps a library's words within an answer.
func short(err error) string {
	s := fmt.Sprint(err)
	return s[:min(len(s), 120)]
}
