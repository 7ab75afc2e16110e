package text

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// coldLines are chat as a gateway sees it: each line comes once, in another language
// than the one before.
var coldLines = []string{
	"anyone up for the bridge after this round? I have # minutes left",
	"ナイス！ラウンド # お疲れさまでした、次は tower に行きましょう",
	"gg well played everyone, see you at the north gate in #",
	"大家好，第 # 关打完了，一起去 harbor 吗？",
	"push mid together when the timer shows #, I will hold old mill",
	"수고하셨습니다! # 라운드 끝나면 arena 로 가요",
	"can somebody heal me near the crystal cave? I am down to #",
	"пойдём на босса через # минут, возьми зелья",
	"the boss comes out of the lighthouse after # seconds, be ready",
	"quem vai de suporte? falta # pra começar",
	"trading potions for arrows at the market, I have #",
	"wer hat noch # Tränke übrig? ich warte am Tor",
}

// thrash stands for what runs between two messages: the kernel, other sessions, the
// collector. It touches as many bytes as it holds, a cache line at a time.
type thrash []byte

func (t thrash) run() (sum byte) {
	for i := 0; i < len(t); i += 64 {
		t[i]++
		sum += t[i]
	}
	return sum
}

// BenchmarkCold times messages that find the caches full of other things, which in a
// gateway is every message: cold-us is the median, and hot-us that of the same line at once again.
func BenchmarkCold(b *testing.B) {
	for _, megabytes := range []int{4, 64} {
		b.Run(strconv.Itoa(megabytes)+"MB", func(b *testing.B) {
			e, err := New(Config{})
			if err != nil {
				b.Fatal(err)
			}
			between := make(thrash, megabytes<<20)
			var out []engines.Signal
			var cold, hot []time.Duration
			n := 0
			ask := func(item *engines.Item) time.Duration {
				from := time.Now()
				if out, err = e.Inspect(b.Context(), item, out[:0]); err != nil {
					b.Fatal(err)
				}
				return time.Since(from)
			}
			for b.Loop() {
				line := strings.Replace(coldLines[n%len(coldLines)], "#", strconv.Itoa(n%900), 1)
				item := &engines.Item{Kind: engines.KindText, Text: line}
				n++
				between.run()
				cold = append(cold, ask(item))
				hot = append(hot, ask(item))
			}
			b.ReportMetric(median(cold), "cold-us/op")
			b.ReportMetric(median(hot), "hot-us/op")
		})
	}
}

func median(d []time.Duration) float64 {
	slices.Sort(d)
	return float64(d[len(d)/2].Nanoseconds()) / 1000
}
