// Command goaway asks github.com/TwiN/go-away about every row of a file and
// prints one JSON line of counts by source. It is a module of its own, so that
// the gateway's has no such dependency.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	goaway "github.com/TwiN/go-away"
)

type row struct {
	Text   string `json:"text"`
	Source string `json:"source"`
	Toxic  bool   `json:"toxic"`
}

type counts struct {
	TP int `json:"tp"`
	FP int `json:"fp"`
	FN int `json:"fn"`
	TN int `json:"tn"`
}

func (c *counts) add(toxic, flagged bool) {
	switch {
	case toxic && flagged:
		c.TP++
	case toxic:
		c.FN++
	case flagged:
		c.FP++
	default:
		c.TN++
	}
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "goaway:", err)
		os.Exit(1)
	}
}

func run(file string) error {
	rows, err := read(file)
	if err != nil {
		return err
	}
	detector := goaway.NewProfanityDetector()
	for _, r := range rows[:min(500, len(rows))] {
		detector.IsProfane(r.Text)
	}
	suites := make(map[string]*counts)
	var spent time.Duration
	for _, r := range rows {
		began := time.Now()
		flagged := detector.IsProfane(r.Text)
		spent += time.Since(began)
		c := suites[r.Source]
		if c == nil {
			c = &counts{}
			suites[r.Source] = c
		}
		c.add(r.Toxic, flagged)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"peer": "go-away", "setting": "", "version": version(), "failed": 0, "suites": suites,
		"us": float64(spent.Nanoseconds()) / 1e3 / float64(len(rows)),
	})
}

// version is that of the filter, as it was built in.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == "github.com/TwiN/go-away" {
			return m.Version
		}
	}
	return ""
}

func read(file string) ([]row, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []row
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, lines.Err()
}
