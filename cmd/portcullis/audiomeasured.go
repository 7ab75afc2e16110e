package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
	"github.com/portcullis-gg/portcullis/engines/audio/acoustic"
	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/internal/eval"
	"github.com/portcullis-gg/portcullis/streams/voice"
	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// asksFor reports whether `eval audio` has a flag that has it measure something else.
func asksFor(what string, args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(s, "-"), "=")
		return strings.HasPrefix(s, "-") && name == what
	})
}

// measuredAudio is the configuration that listening is measured under, from the
// environment alone, and what loads its models.
func measuredAudio() (*config, *modelKeeper, error) {
	cfg, err := loadConfig("", os.Environ())
	if err != nil {
		return nil, nil, err
	}
	cfg.data = "data"
	return &cfg, newModelKeeper(cfg.Models, cfg.data, slog.New(slog.NewTextHandler(os.Stderr, nil))), nil
}

// evaluateWords measures what writes speech down.
func evaluateWords(ctx context.Context, args []string, std std) (err error) {
	cfg, keeper, err := measuredAudio()
	if err != nil {
		return err
	}
	p := &audioParts{whispers: map[string]*lateWhisper{}}
	defer func() { err = errors.Join(err, p.close()) }()
	open := func(model, language string) (speech.Recogniser, error) {
		if err := keeper.runtime(); err != nil {
			return nil, err
		}
		var detect []string
		for i := range cfg.Audio.Words {
			w := &cfg.Audio.Words[i]
			if model == "" && (len(w.Languages) == 0 || slices.Contains(w.Languages, language)) {
				model, detect = w.Model, w.Detect
			}
		}
		if r := p.whisper(model, detect, keeper); r != nil {
			return r, nil
		}
		if n, ok := keeper.board.Of(model); ok && n.State != models.StateLoaded {
			return nil, fmt.Errorf("model %s: %s", model, n.Reason)
		}
		return nil, fmt.Errorf("no model for language %q", language)
	}
	return eval.Words(ctx, open, args, std.out, std.err)
}

// evaluatePhrases measures how many phrases of a block list are found in calls.
func evaluatePhrases(ctx context.Context, args []string, std std) (err error) {
	cfg, keeper, err := measuredAudio()
	if err != nil {
		return err
	}
	var p *audioParts
	defer func() {
		if p != nil {
			err = errors.Join(err, p.close())
		}
	}()
	open := func() (*eval.Hearing, error) { //nolint:contextcheck // the built-in lists are not tested anew
		p = newAudioParts(&cfg.Audio, keeper)
		if p.voice == nil || len(p.Languages) == 0 {
			return nil, errors.New("there are no models that find speech and write it down: portcullis models pull")
		}
		inner, err := audio.New(p.Config)
		if err != nil {
			return nil, err //nolint:wrapcheck // it names what is wrong
		}
		words, err := text.New(text.Config{})
		if err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		engine, err := audio.NewReader(audio.ReaderConfig{Inner: inner, Text: words, Remembered: -1})
		if err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		meter := func(*engines.Item) voice.Meter { return acoustic.New(cfg.Audio.Acoustic.With(nil)) }
		deps := voice.Deps{Meter: meter, Resampler: newResampler, Speech: newEar(p.voice)}
		return &eval.Hearing{
			Engine: engine, Opus: payloads,
			Replay: func(packets [][]byte, each func(*engines.Sound) error) error {
				return voice.Replay(deps, packets, each)
			},
		}, nil
	}
	return eval.Phrases(ctx, open, args, std.out, std.err) //nolint:wrapcheck // it names itself
}

// payloads are the packets of an Ogg/Opus file.
func payloads(file []byte) ([][]byte, error) {
	list, err := speaker.ReadOgg(file)
	out := make([][]byte, len(list))
	for i := range list {
		out[i] = list[i].Data
	}
	return out, err //nolint:wrapcheck // it says what is wrong
}
