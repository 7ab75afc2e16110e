package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// voiceLook is what a gateway says of itself at one moment.
type voiceLook struct {
	cpu        time.Duration
	resident   int64
	goroutines float64
	heap       float64
	lag        map[float64]float64 // packets by the most that they took, in seconds
	heard      float64
	dropped    float64
}

// admin is where the gateway under test has its metrics.
func (c *child) admin() (string, error) {
	logs, err := os.ReadFile(c.logs)
	if err != nil {
		return "", fmt.Errorf("read its log: %w", err)
	}
	for line := range bytes.Lines(logs) {
		var entry struct {
			Msg   string `json:"msg"`
			Admin string `json:"admin"`
		}
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "listening" {
			return entry.Admin, nil
		}
	}
	return "", errors.New("its log does not say where metrics are")
}

// look reads the gateway's metrics.
func (b *voiceLoad) look(ctx context.Context) (*voiceLook, error) {
	addr, err := b.server.admin()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/metrics", nil)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	l := &voiceLook{lag: map[float64]float64{}}
	l.read(res.Body)
	if err := res.Body.Close(); err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	http.DefaultClient.CloseIdleConnections()
	if l.cpu, err = cpuTime(b.server.pid()); err == nil {
		l.resident, err = residentBytes(b.server.pid())
	}
	return l, err
}

func (l *voiceLook) read(r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		name, text, _ := strings.Cut(lines.Text(), " ")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			continue
		}
		switch {
		case name == "go_goroutines":
			l.goroutines = v
		case name == "go_memstats_heap_inuse_bytes":
			l.heap = v
		case name == `portcullis_voice_packets_total{fate="heard"}`:
			l.heard = v
		case name == `portcullis_voice_packets_total{fate="dropped"}`:
			l.dropped = v
		case strings.HasPrefix(name, `portcullis_voice_lag_seconds_bucket{le="`):
			edge := strings.TrimSuffix(strings.TrimPrefix(name, `portcullis_voice_lag_seconds_bucket{le="`), `"}`)
			if at, err := strconv.ParseFloat(edge, 64); err == nil { // +Inf too
				l.lag[at] = v
			}
		}
	}
}

// voiceReport is what `bench voice` found. Times are milliseconds.
type voiceReport struct {
	Streams    int     `json:"streams"`
	Speaking   int     `json:"speaking_at_a_time"`
	SetupP50   float64 `json:"setup_p50_ms"`
	SetupP95   float64 `json:"setup_p95_ms"`
	PerSecond  float64 `json:"setups_per_second"`
	CPU        float64 `json:"cpu_of_one_core_percent"`
	PerStream  float64 `json:"cpu_per_stream_percent"`
	PacketRate float64 `json:"packets_per_second"`
	Dropped    float64 `json:"packets_dropped"`
	LagP50     float64 `json:"packet_to_features_p50_ms"`
	LagP99     float64 `json:"packet_to_features_p99_ms"`
	Resident   float64 `json:"resident_mb"`
	Memory     float64 `json:"memory_per_stream_mb"`
	Goroutines float64 `json:"goroutines_left"`
	Threats    int     `json:"threats_said"`
	Found      int     `json:"threats_found"`
	FlagP50    float64 `json:"threat_to_verdict_p50_ms"`
	FlagP95    float64 `json:"threat_to_verdict_p95_ms"`

	Soak *voiceSoak `json:"soak,omitempty"` // of a long run
}

// fill sets what the looks say.
func (r *voiceReport) fill(idle, start, end *voiceLook, took time.Duration, streams int) {
	r.CPU = 100 * (end.cpu - start.cpu).Seconds() / took.Seconds()
	r.PerStream = r.CPU / float64(streams)
	r.PacketRate = (end.heard - start.heard) / took.Seconds()
	r.Dropped = end.dropped - start.dropped
	r.LagP50, r.LagP99 = lagQuantile(start, end, .5), lagQuantile(start, end, .99)
	r.Resident = float64(end.resident) / (1 << 20)
	r.Memory = float64(end.resident-idle.resident) / (1 << 20) / float64(streams)
}

// lagQuantile is the upper edge of the bucket in which the quantile lies: no less than
// what it was.
func lagQuantile(start, end *voiceLook, q float64) float64 {
	total := end.lag[math.Inf(1)] - start.lag[math.Inf(1)]
	best := math.Inf(1)
	for edge, n := range end.lag {
		if total > 0 && n-start.lag[edge] >= q*total && edge < best {
			best = edge
		}
	}
	return 1000 * best
}

// after looks what is left five seconds after all calls have ended.
func (b *voiceLoad) after(ctx context.Context, r *voiceReport, before *voiceLook) error {
	if err := rest(ctx, 5*time.Second); err != nil {
		return err
	}
	end, err := b.look(ctx)
	if err != nil {
		return err
	}
	r.Goroutines = end.goroutines - before.goroutines
	return nil
}

func (r *voiceReport) print(w io.Writer, o *voiceOptions) error {
	if o.asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r) //nolint:wrapcheck // the caller's own writer
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, value, goal string) {
		if !o.goals {
			goal = ""
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\n", name, value, goal) // Flush has the error
	}
	line("calls", fmt.Sprintf("%d, %d speak at a time", r.Streams, r.Speaking), "goal")
	line("set-up p50 / p95", fmt.Sprintf("%.0f / %.0f ms", r.SetupP50, r.SetupP95), "p95 <= 200 ms")
	line("set-ups a second", fmt.Sprintf("%.0f", r.PerSecond), ">= 100")
	line("CPU of one core", fmt.Sprintf("%.1f %%, %.2f %% a stream", r.CPU, r.PerStream), "100 streams at <= 60 %")
	line("packets a second", fmt.Sprintf("%.0f, %.0f dropped", r.PacketRate, r.Dropped), "")
	line("packet -> features p50 / p99", fmt.Sprintf("<= %.2g / <= %.2g ms", r.LagP50, r.LagP99), "1 / 20 ms")
	line("memory", fmt.Sprintf("%.0f MB, %.2f MB a stream", r.Resident, r.Memory), "<= 1.5 MB a stream")
	line("goroutines left after 5 s, HTTP workers too", fmt.Sprintf("%.0f", r.Goroutines), "<= 5")
	if r.Threats > 0 {
		line("threats found", fmt.Sprintf("%d of %d", r.Found, r.Threats), "")
		line("last packet -> verdict p50 / p95", fmt.Sprintf("%.0f / %.0f ms", r.FlagP50, r.FlagP95), "300 / 500 ms")
	}
	r.Soak.print(line)
	return t.Flush() //nolint:wrapcheck // as above
}
