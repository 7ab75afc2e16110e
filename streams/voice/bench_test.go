package voice

import (
	"syscall"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/streams/voice/caller"
)

func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkHear is a packet's way from the ring to its features: order, decoder, meter,
// archive. cpu-us/packet is right on a busy machine too; a stream has 50 a second.
func BenchmarkHear(b *testing.B) {
	for name, meter := range map[string]func() Meter{
		"acoustic": func() Meter { return acoustic.New(acoustic.Defaults()) },
		"nothing":  func() Meter { return &loudness{} },
	} {
		b.Run(name, func(b *testing.B) {
			list, err := caller.ReadOgg(mustRead(b, "testdata/speech.opus"))
			if err != nil {
				b.Fatal(err)
			}
			cfg := Default()
			cfg.Listen = Off
			h, err := New(cfg, "", Deps{Desk: &desk{}, Meter: meter, Resampler: func(int, int) Resampler { return same{1} }}, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			sound, err := newOpus()
			if err != nil {
				b.Fatal(err)
			}
			c := h.newCall(speaker("x"), sound)
			b.ReportAllocs()
			before := usedCPU(b)
			i := 0
			for b.Loop() {
				p := list[i%len(list)]
				c.ring.put(packet{source: 1, seq: uint16(i), ts: uint32(i * 960), arrived: h.now(), payload: p.Data})
				c.ear.hear()
				i++
			}
			b.ReportMetric(float64((usedCPU(b)-before).Microseconds())/float64(i), "cpu-us/packet")
		})
	}
}
