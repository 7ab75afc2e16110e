package whisper_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/audio/whisper"
)

// What a window costs, by its length.
func BenchmarkRecognise(b *testing.B) {
	for _, name := range []string{"whisper-tiny-en", "whisper-base"} {
		m := load(b, name, whisper.Config{})
		pcm := append(recording(b, "gold.wav"), recording(b, "healers.wav")...)
		for _, seconds := range []int{1, 2, 4, 6} {
			b.Run(fmt.Sprintf("%s/%ds", name, seconds), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Recognise(context.Background(), pcm[:seconds*engines.SoundRate], speech.Options{Language: "en"}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
