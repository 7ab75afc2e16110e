package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines/audio/speech"
	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/internal/eval"
)

// asksForWords reports whether `eval audio` is asked for words.
func asksForWords(args []string) bool {
	return slices.ContainsFunc(args, func(s string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(s, "-"), "=")
		return strings.HasPrefix(s, "-") && name == "words"
	})
}

// evaluateWords measures what writes speech down.
func evaluateWords(ctx context.Context, args []string, std std) (err error) {
	cfg, err := loadConfig("", os.Environ())
	if err != nil {
		return err
	}
	cfg.data = "data"
	keeper := newModelKeeper(cfg.Models, cfg.data, slog.New(slog.NewTextHandler(os.Stderr, nil)))
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
