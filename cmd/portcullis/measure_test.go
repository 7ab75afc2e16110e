package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"testing"
)

// fetch reads a page of the admin listener.
func fetch(t *testing.T, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true // a kept connection would count among what is measured
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// number finds what a page says behind a label.
func number(t *testing.T, page, pattern string) int {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no %s in %.300s", pattern, page)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// footprint is what a leak shows in.
type footprint struct{ goroutines, files int }

func (u footprint) String() string {
	return fmt.Sprintf("%d goroutines, %d files", u.goroutines, u.files)
}

func measure(t *testing.T, p *process) footprint {
	t.Helper()
	return footprint{
		goroutines: number(t, fetch(t, p.admin+"/debug/pprof/goroutine?debug=1"), `goroutine profile: total (\d+)`),
		files:      number(t, fetch(t, p.admin+"/metrics"), `(?m)^process_open_fds (\S+)$`),
	}
}

// slack is what may come and go by itself: kept connections of pools, timers.
const slack = 10

func (u footprint) within(base footprint) bool {
	return u.goroutines <= base.goroutines+slack && u.files <= base.files+slack
}

// degraded reads the detailed health.
func degraded(t *testing.T, p *process) bool {
	t.Helper()
	v, ok := object(t, []byte(fetch(t, p.admin+"/readyz")))["degraded"].(bool)
	if !ok {
		t.Fatal("/readyz says nothing of degraded")
	}
	return v
}
