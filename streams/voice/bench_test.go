package voice

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
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

// spoken are packets as clients send them that we ask for 16 kHz, and as others do.
var spoken = map[string]string{"wideband": "../../internal/bench/sounds/talk.opus", "fullband": "testdata/speech.opus"}

func quietHub(b *testing.B, meter func(*engines.Item) Meter) *Hub {
	b.Helper()
	cfg := Default()
	cfg.Listen = Off
	h, err := New(cfg, "", Deps{Desk: &desk{}, Meter: meter, Resampler: func(int, int) Resampler { return same{1} }}, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkHear is a packet's way from the ring to its features: order, decoder, meter,
// archive. cpu-us/packet is right on a busy machine too; a stream has 50 a second.
func BenchmarkHear(b *testing.B) {
	meters := map[string]func(*engines.Item) Meter{
		"acoustic": func(*engines.Item) Meter { return acoustic.New(acoustic.Defaults()) },
		"nothing":  func(*engines.Item) Meter { return &loudness{} },
	}
	for name, meter := range meters {
		for sent, file := range spoken {
			b.Run(name+"/"+sent, func(b *testing.B) {
				list, err := caller.ReadOgg(mustRead(b, file))
				if err != nil {
					b.Fatal(err)
				}
				sound, err := newOpus()
				if err != nil {
					b.Fatal(err)
				}
				c := quietHub(b, meter).newCall(speaker("x"), sound)
				b.ReportAllocs()
				before := usedCPU(b)
				i := 0
				for b.Loop() {
					say(c, list, i)
					i++
				}
				b.ReportMetric(float64((usedCPU(b)-before).Microseconds())/float64(i), "cpu-us/packet")
			})
		}
	}
}

// say has a call hear packet i.
func say(c *Call, list []caller.Packet, i int) {
	p := list[i%len(list)]
	c.ring.put(packet{source: 1, seq: uint16(i), ts: uint32(i * 960), arrived: c.hub.now(), payload: p.Data})
	c.ear.hear()
}

// BenchmarkHeld is what a call holds of memory after half a minute of speech, its
// connection and the model for speech apart.
func BenchmarkHeld(b *testing.B) {
	for sent, file := range spoken {
		b.Run(sent, func(b *testing.B) {
			list, err := caller.ReadOgg(mustRead(b, file))
			if err != nil {
				b.Fatal(err)
			}
			h := quietHub(b, func(*engines.Item) Meter { return acoustic.New(acoustic.Defaults()) })
			const calls = 20
			var held float64
			for b.Loop() {
				before := inUse()
				var all [calls]*Call
				for n := range all {
					sound, err := newOpus()
					if err != nil {
						b.Fatal(err)
					}
					all[n] = h.newCall(speaker("x"), sound)
					all[n].ear.cut.open = true // somebody speaks, for as long as a window has room
					for i := range keptMS / 20 {
						say(all[n], list, i)
						for all[n].mail.take() != nil {
							all[n].paid()
						}
					}
				}
				held = float64(inUse()-before) / calls
				runtime.KeepAlive(all)
			}
			b.ReportMetric(held/1024, "KB/call")
		})
	}
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
