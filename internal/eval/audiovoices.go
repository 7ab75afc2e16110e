package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/portcullis-gg/portcullis/engines/audio/speaker"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// VoicesFound is how well voices are told apart.
type VoicesFound struct {
	Voices    int `json:"voices"`
	Stretches int `json:"stretches"` // of each, of some 3 s
	// EER is the rate at which errors of both kinds are as frequent, at a cosine of At.
	EER float64 `json:"eer"`
	At  float64 `json:"at_cosine"`
	// Taken is the share of pairs of two voices that Same takes for one, Missed that of
	// pairs of one voice that it takes for two.
	Taken  float64 `json:"taken_for_one"`
	Missed float64 `json:"taken_for_two"`
	// Known is how well a stretch is known as one of a voice that is remembered by its
	// other stretches, where one in a hundred, and in a thousand, of others is taken for it.
	Known [2]float64 `json:"known_at_one_of_100_and_1000"`
}

// knownAt are the shares of others that may be taken for a voice.
var knownAt = [2]float64{0.01, 0.001}

// known compares each stretch with what is remembered of each voice.
func known(all []speaker.Voice, each int) (shares [2]float64) {
	var same, other []float64
	for of := 0; of < len(all); of += each {
		for i := range all {
			var mean speaker.Voice
			for k := of; k < of+each; k++ {
				if k != i {
					for d := range mean {
						mean[d] += all[k][d]
					}
				}
			}
			size := math.Sqrt(speaker.Cosine(&mean, &mean))
			c := speaker.Cosine(&mean, &all[i]) / size
			if i/each == of/each {
				same = append(same, c)
			} else {
				other = append(other, c)
			}
		}
	}
	return sharesAbove(same, other)
}

// sharesAbove are the shares of same above the cosines that so many of other pass.
func sharesAbove(same, other []float64) (shares [2]float64) {
	slices.Sort(same)
	slices.Sort(other)
	for i, most := range knownAt {
		at := other[max(0, len(other)-1-int(most*float64(len(other))))]
		n := sort.Search(len(same), func(k int) bool { return same[k] > at })
		shares[i] = float64(len(same)-n) / float64(len(same))
	}
	return shares
}

// tellVoices has made up voices say several things each and compares all pairs.
func tellVoices(ctx context.Context, o AudioOptions, model *speaker.Model, have []string) (*VoicesFound, error) {
	const each = 4
	f := &VoicesFound{Voices: o.Voices, Stretches: each}
	var all []speaker.Voice
	for n := range o.Voices {
		draw := voiceAt(random(o.Seed, 20, n), n, have)
		for range each {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			pcm, err := draw(ctx)
			if err != nil {
				return nil, err
			}
			v, err := model.Embed(pcm)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
	}
	var same, other []float64
	for i := range all {
		for j := range i {
			c := speaker.Cosine(&all[i], &all[j])
			one := speaker.Same(&all[i], &all[j]) >= 0.5
			if i/each == j/each {
				same = append(same, c)
				f.Missed += b2f(!one)
			} else {
				other = append(other, c)
				f.Taken += b2f(one)
			}
		}
	}
	f.Missed /= float64(len(same))
	f.Taken /= float64(len(other))
	f.EER, f.At = equalError(same, other)
	f.Known = known(all, each)
	return f, nil
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// equalError is where as large a share of same lies below as of other above.
func equalError(same, other []float64) (rate, at float64) {
	slices.Sort(same)
	slices.Sort(other)
	for i, c := range same {
		missed := float64(i) / float64(len(same))
		above, _ := slices.BinarySearch(other, c)
		taken := float64(len(other)-above) / float64(len(other))
		if missed >= taken {
			return (missed + taken) / 2, c
		}
	}
	return 0, 0
}

// voiceAt is another voice for each number: first those of flite, then espeak-ng's, each
// with its own throat, accent and pitch. What a voice says differs in pace.
func voiceAt(r *rand.Rand, n int, have []string) func(context.Context) ([]float32, error) {
	next := sentences(r)
	return func(ctx context.Context) ([]float32, error) {
		if n < len(fliteVoices) && slices.Contains(have, flite) {
			return fliteVoice(fliteVoices[n], 0.85+0.4*r.Float64())(ctx, next())
		}
		voice := accents[n/len(variants)%len(accents)] + "+" + variants[n%len(variants)]
		return espeakVoice(voice, 25+n*37%55, 130+r.IntN(60))(ctx, next())
	}
}

func openSpeaker(folder string) (*speaker.Model, error) {
	if onnx.Version() == "" {
		return nil, onnx.ErrNotStarted
	}
	return speaker.Open(folder)
}
