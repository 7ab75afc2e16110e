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
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// voiceLook is what a gateway says of itself at one moment.
type voiceLook struct {
	cpu        time.Duration
	resident   int64
	inGo       float64             // bytes that Go has in use: all but what C libraries keep
	idle       float64             // bytes of the heap that are resident, and nobody's
	goroutines map[string]int      // by where they began; lookLong has them
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

// ask reads a page of the gateway's admin listener.
func (b *voiceLoad) ask(ctx context.Context, path string) ([]byte, error) {
	addr, err := b.server.admin()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	body, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	http.DefaultClient.CloseIdleConnections()
	return body, nil
}

// lookLong is look after a collection of garbage, and at goroutines too.
func (b *voiceLoad) lookLong(ctx context.Context) (*voiceLook, error) {
	if _, err := b.ask(ctx, "/debug/pprof/heap?gc=1"); err != nil {
		return nil, err
	}
	l, err := b.look(ctx)
	if err != nil {
		return nil, err
	}
	list, err := b.ask(ctx, "/debug/pprof/goroutine?debug=1")
	l.goroutines = beginnings(list)
	return l, err
}

// beginnings counts the goroutines of a profile by the function that each began with.
func beginnings(profile []byte) map[string]int {
	counts := map[string]int{}
	n, last := 0, ""
	for line := range strings.Lines(string(profile) + "\n") {
		at := strings.Fields(line)
		switch {
		case len(at) > 2 && at[0] == "#":
			last, _, _ = strings.Cut(at[2], "+")
			continue
		case n > 0 && last != "":
			counts[last] += n
		}
		n, last = 0, ""
		if len(at) > 1 && at[1] == "@" {
			n, _ = strconv.Atoi(at[0]) // 0 for what is no number
		}
	}
	return counts
}

// look reads the gateway's metrics.
func (b *voiceLoad) look(ctx context.Context) (*voiceLook, error) {
	page, err := b.ask(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	l := &voiceLook{lag: map[float64]float64{}}
	l.read(bytes.NewReader(page))
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
		case name == "go_memstats_heap_idle_bytes":
			l.idle += v
		case name == "go_memstats_heap_released_bytes":
			l.idle -= v
		case name == "go_memstats_heap_inuse_bytes", name == "go_memstats_stack_inuse_bytes",
			name == "go_memstats_mspan_inuse_bytes", name == "go_memstats_mcache_inuse_bytes":
			l.inGo += v
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
	Words      bool    `json:"words"`
	Language   string  `json:"language"` // that tickets have
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
	Rest       float64 `json:"resident_before_mb"` // models, word lists, what is there without a call
	Memory     float64 `json:"memory_per_stream_mb"`
	Networks   float64 `json:"memory_of_networks_mb"` // for as many as are asked at once, however many calls there are
	Goroutines int     `json:"goroutines_left"`
	Left       string  `json:"goroutines_left_by_origin"`
	Threats    int     `json:"threats_said"`
	Found      int     `json:"threats_found"`
	FlagP50    float64 `json:"threat_to_verdict_p50_ms"`
	FlagP95    float64 `json:"threat_to_verdict_p95_ms"`

	Soak *voiceSoak `json:"soak,omitempty"` // of a long run
}

// fill sets what the looks say of the time between them.
func (r *voiceReport) fill(start, end *voiceLook, took time.Duration) {
	r.CPU = 100 * (end.cpu - start.cpu).Seconds() / took.Seconds()
	r.PerStream = r.CPU / float64(r.Streams)
	r.PacketRate = (end.heard - start.heard) / took.Seconds()
	r.Dropped = end.dropped - start.dropped
	r.LagP50, r.LagP99 = lagQuantile(start, end, .5), lagQuantile(start, end, .99)
}

// keep sets what is kept of calls, heap and stacks: all that a call has is Go's. What the
// C library of the networks took beside it, for one window on each processor, is theirs.
func (r *voiceReport) keep(idle, kept *voiceLook) {
	const mb = 1 << 20
	r.Resident, r.Rest = float64(kept.resident)/mb, float64(idle.resident)/mb
	calls := kept.inGo - idle.inGo
	r.Memory = calls / mb / float64(r.Streams)
	r.Networks = (float64(kept.resident) - kept.idle - float64(idle.resident) + idle.idle - calls) / mb
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
	end, err := b.lookLong(ctx)
	if err != nil {
		return err
	}
	var left []string
	for where, n := range end.goroutines {
		if !pooled(where) {
			r.Goroutines += n - before.goroutines[where]
		}
		if more := n - before.goroutines[where]; more > 0 {
			left = append(left, fmt.Sprintf("%d %s", more, where))
		}
	}
	for where, n := range before.goroutines {
		if end.goroutines[where] == 0 && !pooled(where) {
			r.Goroutines -= n
		}
	}
	slices.Sort(left)
	r.Left = strings.Join(left, ", ")
	return nil
}

// pooled is true of goroutines that are no call's: workers for requests and connections to
// the store within the process, which wait for more for a while. They are named, not counted.
func pooled(where string) bool {
	return strings.HasPrefix(where, "github.com/valyala/fasthttp.(*workerPool)") || strings.HasPrefix(where, "github.com/alicebob/miniredis/")
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
	if r.Words {
		line("CPU of one core, words written down", fmt.Sprintf("%.1f %%, language told: %q", r.CPU, r.Language), "")
	} else {
		line("CPU of one core", fmt.Sprintf("%.1f %%, %.2f %% a stream", r.CPU, r.PerStream), "100 streams at <= 60 %")
	}
	line("packets a second", fmt.Sprintf("%.0f, %.0f dropped", r.PacketRate, r.Dropped), "")
	line("packet -> features p50 / p99", fmt.Sprintf("<= %.2g / <= %.2g ms", r.LagP50, r.LagP99), "1 / 20 ms")
	line("memory before the calls (models, word lists)", fmt.Sprintf("%.0f MB resident", r.Rest), "")
	line("memory", fmt.Sprintf("%.0f MB resident, %.2f MB in use a stream", r.Resident, r.Memory), "<= 1.5 MB a stream")
	line("memory that the networks compute in, beside it", fmt.Sprintf("%.0f MB in all", r.Networks), "")
	line("goroutines left after 5 s (pools are named, not counted)", strings.TrimSpace(fmt.Sprintf("%d %s", r.Goroutines, r.Left)), "<= 5")
	if r.Words && r.Threats > 0 {
		line("threats found", fmt.Sprintf("%d of %d", r.Found, r.Threats), "")
		line("last packet -> verdict p50 / p95", fmt.Sprintf("%.0f / %.0f ms", r.FlagP50, r.FlagP95), "300 / 500 ms")
	}
	r.Soak.print(line)
	return t.Flush() //nolint:wrapcheck // as above
}
