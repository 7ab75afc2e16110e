package bench

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// soak waits, and meanwhile looks again and again at what the gateway takes, where the
// time is long enough to say whether that grows.
func (b *voiceLoad) soak(ctx context.Context, d time.Duration) (*voiceSoak, error) {
	if d < soakFrom {
		return nil, rest(ctx, d)
	}
	every := max(d/120, 5*time.Second)
	var list []soakSample
	for began := time.Now(); time.Since(began) < d; {
		s, err := b.sample(ctx)
		if err != nil {
			return nil, err
		}
		s.at = time.Since(began)
		list = append(list, *s)
		if len(list)%12 == 1 {
			b.say("%s: %.0f MB resident, %.0f MB in use by Go, %.0f goroutines, %.0f packets dropped", s.at.Round(time.Second), s.resident, s.heap, s.goroutines, s.dropped)
		}
		if err := rest(ctx, min(every, max(d-time.Since(began), time.Millisecond))); err != nil {
			return nil, err
		}
	}
	return soakOf(list), nil
}

// sample is one look.
func (b *voiceLoad) sample(ctx context.Context) (*soakSample, error) {
	addr, err := b.server.admin()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/metrics", nil)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer func() { _ = res.Body.Close() }() // it was read, or is not wanted
	s := &soakSample{}
	heard, soon := 0.0, 0.0
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		switch name {
		case "go_goroutines":
			s.goroutines = v
		case "go_memstats_heap_inuse_bytes":
			s.heap = v / (1 << 20)
		case `portcullis_voice_packets_total{fate="dropped"}`:
			s.dropped = v
		case `portcullis_voice_lag_seconds_bucket{le="` + strconv.FormatFloat(lateSeconds, 'g', -1, 64) + `"}`:
			soon = v
		case "portcullis_voice_lag_seconds_count":
			heard = v
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	s.late = heard - soon
	resident, err := residentBytes(b.server.pid())
	s.resident = float64(resident) / (1 << 20)
	return s, err
}
