package decode

import (
	"math"

	"github.com/pion/opus"

	"github.com/portcullis-gg/portcullis/engines"
)

// opusRate is the clock of Opus in Ogg, whatever it was recorded at.
const opusRate = 48000

// opusLink is one of the streams of Opus that follow one another.
type opusLink struct {
	head    *opusHead
	first   int64 // the granule position before its first packet
	counted int64 // samples at 48 kHz by the packets
	granule int64 // of its last page
	onPage  int64 // by the packets of the first page
	ended   bool  // it says where it ends
}

// plays is how many samples are heard of it: without those skipped at the start, and
// without what fills up the last packet (RFC 7845 §4). A last page that would hide more
// than a packet is not believed.
func (l *opusLink) plays() int64 {
	n := l.counted
	if fill := l.counted - (l.granule - l.first); l.ended && fill > 0 && fill <= 5760 {
		n -= fill
	}
	return max(0, n-int64(l.head.skip))
}

// readOgg goes over all pages and counts what the packets say they last, which is the
// first byte or two of each.
func (f *File) readOgg(data []byte) (end int, err error) {
	var links []opusLink
	w := opusWalk{data: data}
	for {
		packet, head, err := w.step()
		if err != nil {
			return 0, err
		}
		if head != nil {
			links = append(links, opusLink{head: head, first: -1})
			f.Channels = max(f.Channels, head.channels)
			if len(links) > 1000 {
				return 0, damaged("more than 1000 streams follow one another in it")
			}
			continue
		}
		if packet == nil {
			break
		}
		links[len(links)-1].count(packet, &w)
	}
	if len(links) == 0 {
		return 0, damaged("there is no whole Ogg page in it that begins a stream")
	}
	f.SampleRate, f.decoded = opusRate, engines.SoundRate
	left := make([]int64, len(links))
	for i := range links {
		left[i] = links[i].plays()
		f.frames += left[i]
	}
	if f.frames == 0 {
		return 0, damaged("there is no sound in it")
	}
	f.unpack = func(s *sink) error { return unpackOpus(s, data, left) }
	return w.at, nil
}

func (l *opusLink) count(packet []byte, w *opusWalk) {
	n := int64(lasts(packet))
	l.counted += n
	if g := w.page.granule; g >= 0 {
		if l.first < 0 {
			if l.onPage += n; w.next == len(w.page.lacing) {
				l.first = max(0, g-l.onPage)
			}
		}
		l.granule = g
	}
	l.ended = w.page.flags&oggEnds != 0
}

// opusPlayer decodes one stream after the other.
type opusPlayer struct {
	s         *sink
	decoder   opus.Decoder
	skip      int // samples of a channel still to be skipped
	left      int64
	gain      float32
	pcm       []float32
	good, bad int
}

// unpackOpus decodes all packets. What the decoder can't do, up to a tenth of them, is
// silence.
func unpackOpus(s *sink, data []byte, left []int64) error {
	p := opusPlayer{s: s, pcm: make([]float32, 5760/3*s.channels)}
	w := opusWalk{data: data}
	for link := 0; ; {
		packet, head, err := w.step()
		switch {
		case err != nil:
			return err
		case head != nil:
			if p.decoder, err = opus.NewDecoderWithOutput(engines.SoundRate, s.channels); err != nil {
				return broken(OggOpus, err)
			}
			p.skip, p.left = head.skip/3, left[link]/3
			p.gain = float32(math.Pow(10, float64(head.gain)/256/20))
			link++
		case packet == nil:
			if p.bad*10 > p.good+p.bad {
				return damaged("%d of its %d packets can't be decoded", p.bad, p.good+p.bad)
			}
			return nil
		default:
			if err := p.play(packet); err != nil {
				return err
			}
		}
	}
}

func (p *opusPlayer) play(packet []byte) error {
	n := lasts(packet) / 3
	got, err := 0, error(nil)
	if n > 0 {
		got, err = p.decoder.DecodeToFloat32(packet, p.pcm)
	}
	if n == 0 || err != nil || got != n {
		p.bad++
		clear(p.pcm[:n*p.s.channels])
	} else {
		p.good++
	}
	sound := p.pcm[:n*p.s.channels]
	cut := min(p.skip, n)
	p.skip -= cut
	sound = sound[cut*p.s.channels:]
	sound = sound[:min(p.left, int64(n-cut))*int64(p.s.channels)]
	p.left -= int64(len(sound) / p.s.channels)
	for i := range sound {
		sound[i] = sane(sound[i] * p.gain)
	}
	return p.s.push(sound)
}
