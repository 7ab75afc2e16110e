package review

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// written is what can be read of an item: its text, the lines in its picture and what
// its codes say, or what is said in its sound.
func written(item *engines.Item) string {
	facts := factsOf(item)
	if facts == nil || len(facts.Text)+len(facts.Codes)+len(facts.Transcript) == 0 {
		return item.Text
	}
	var b strings.Builder
	for i := range facts.Text {
		b.WriteString(facts.Text[i].Text + "\n")
	}
	for i := range facts.Codes {
		b.WriteString(strings.ToValidUTF8(facts.Codes[i].Content, "\ufffd") + "\n")
	}
	b.WriteString(said(facts.Transcript))
	return strings.TrimSuffix(b.String(), "\n")
}

// pauseMS is how long nobody speaks before a new line begins.
const pauseMS = 3000

// said is what a transcript says that is gone by, as lines that end where somebody
// pauses. Between words of scripts that have no spaces there are none.
func said(words []engines.Spoken) string {
	var b strings.Builder
	var before rune
	for i := range words {
		w := strings.TrimSpace(words[i].Text)
		if w == "" || words[i].Doubted {
			continue
		}
		first, _ := utf8.DecodeRuneInString(w)
		switch {
		case b.Len() == 0:
		case i > 0 && words[i].FromMS-words[i-1].ToMS >= pauseMS:
			b.WriteByte('\n')
		case !words[i].Glued && (!unspaced(before) || !unspaced(first)):
			b.WriteByte(' ')
		}
		b.WriteString(w)
		before, _ = utf8.DecodeLastRuneInString(w)
	}
	return b.String()
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func factsOf(item *engines.Item) *engines.MediaFacts {
	if item.Media == nil {
		return nil
	}
	return item.Media.Facts()
}

func useOf(item *engines.Item) engines.Use {
	if item.Media == nil {
		return ""
	}
	return item.Media.Use
}

// sumOf is the SHA-256 of the content.
func sumOf(item *engines.Item) [32]byte {
	switch {
	case item.Media == nil:
		return sha256.Sum256([]byte(item.Text))
	case factsOf(item) != nil && factsOf(item).SHA256 != [32]byte{}:
		return factsOf(item).SHA256
	}
	return sha256.Sum256(item.Media.Bytes)
}

// waiting is the media of a submitted check in this process: its bytes are in a file
// until its turn comes, since many may wait.
func waiting(m *store.PendingMedia) *engines.Media {
	return &engines.Media{Use: m.Use, Type: m.Type, File: m.SHA256}
}

// putPending puts an accepted check on the disk, its media first.
func (d *Desk) putPending(ctx context.Context, p *store.Pending) error {
	m := p.Item.Media
	if m == nil {
		return d.deps.Store.PutPending(ctx, *p)
	}
	if d.deps.Files == nil {
		return errors.New("review: there is nowhere to keep submitted media")
	}
	sum, _, err := d.deps.Files.Put(ctx, bytes.NewReader(m.Bytes))
	if err != nil {
		return fmt.Errorf("keep submitted media: %w", err)
	}
	p.Media = &store.PendingMedia{Use: m.Use, Type: m.Type, SHA256: sum}
	p.Item.Media = waiting(p.Media)
	if err := d.deps.Store.PutPending(ctx, *p); err != nil {
		return err
	}
	// A sweep may have removed the same bytes between the two, as another item's. From
	// here on none does.
	f, err := d.deps.Files.Open(sum)
	if err == nil {
		return f.Close()
	}
	if errors.Is(err, store.ErrNotFound) {
		_, _, err = d.deps.Files.Put(ctx, bytes.NewReader(m.Bytes))
	}
	return err
}

// fetch reads the media of a submitted check whose turn has come.
func (d *Desk) fetch(ctx context.Context, item *engines.Item) error {
	if item.Media == nil || item.Media.File == "" {
		return nil
	}
	var content []byte
	err := d.insist(ctx, func(context.Context) error {
		f, err := d.deps.Files.Open(item.Media.File)
		if errors.Is(err, store.ErrNotFound) { // no attempt brings it back: the fail rule decides
			return nil
		}
		if err != nil {
			return err
		}
		content, err = io.ReadAll(f)
		return errors.Join(err, f.Close())
	})
	item.Media = &engines.Media{Bytes: content, Use: item.Media.Use, Type: item.Media.Type}
	return err
}
