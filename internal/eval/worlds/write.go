package worlds

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

type label struct {
	Player  string `json:"player_id"`
	Label   int    `json:"label"`
	Arch    string `json:"arch"`
	Role    string `json:"role"`
	Kind    string `json:"kind"`
	Ring    string `json:"ring"`
	Created int64  `json:"created_at"`
	First   *int64 `json:"first_bad_ts"`
}

type meta struct {
	Start   int64    `json:"start_ms"`
	End     int64    `json:"end_ms"`
	Seed    uint64   `json:"seed"`
	Days    int      `json:"days"`
	Players int      `json:"players"`
	Lines   int      `json:"lines"`
	Trades  int      `json:"trades"`
	Lost    int      `json:"lost"`
	Kinds   []string `json:"kinds"`
}

// Write writes the world into a folder that is there.
func (w *World) Write(dir string) error {
	slices.SortStableFunc(w.out, func(a, b delivery) int { return cmp.Compare(a.arrive, b.arrive) })
	err := write(filepath.Join(dir, "stream.jsonl"), w.stream)
	err = errors.Join(err, write(filepath.Join(dir, "labels.jsonl"), w.labels))
	return errors.Join(err, write(filepath.Join(dir, "meta.json"), func(out io.Writer) error {
		return json.NewEncoder(out).Encode(&meta{
			w.start, w.end, w.cfg.Seed, w.cfg.Days, len(w.people), len(w.out), w.trades, w.lost, w.Present,
		})
	}))
}

func write(path string, text func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write a world: %w", err)
	}
	b := bufio.NewWriterSize(f, 1<<16)
	err = text(b)
	if err := errors.Join(err, b.Flush(), f.Close()); err != nil {
		return fmt.Errorf("write a world: %s: %w", path, err)
	}
	return nil
}

func (w *World) stream(out io.Writer) error {
	for i := range w.out {
		d := &w.out[i]
		entry, err := json.Marshal(d.entry)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, `{"arrive":%.0f,"type":"%s","entry":%s}`+"\n", d.arrive, d.kind, entry); err != nil {
			return err
		}
	}
	return nil
}

func (w *World) labels(out io.Writer) error {
	e := json.NewEncoder(out)
	for _, p := range w.people {
		l := label{Player: p.id, Label: p.label, Arch: p.arch, Role: p.role, Kind: p.kind, Ring: p.ring, Created: p.created}
		switch {
		case p.firstBad != 0:
			l.First = &p.firstBad
		case p.label == 1:
			l.Label = -1 // it never came to do it
		}
		if err := e.Encode(&l); err != nil {
			return err
		}
	}
	return nil
}
