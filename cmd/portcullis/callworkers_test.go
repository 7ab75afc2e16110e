package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// tellingPackets are packets that sound as they did, one in five with findings for toldEngine
// as padding, which a decoder passes over and an archive keeps (RFC 6716 section 3.2.5).
func tellingPackets(t *testing.T, list []speaker.Packet, findings ...string) []speaker.Packet {
	t.Helper()
	var text strings.Builder
	for _, f := range findings {
		text.WriteString("tEXt" + toldPrefix + f + "\n")
	}
	out := slices.Clone(list)
	for i := 0; i < len(out); i += 5 {
		p := out[i].Data
		if p[0]&3 != 0 {
			t.Fatalf("packet %d has more than a frame", i)
		}
		padded := []byte{p[0] | 3, 0x40 | 1} // any number of frames: one, and padding
		n := text.Len()
		for ; n > 254; n -= 254 {
			padded = append(padded, 255)
		}
		out[i].Data = append(append(append(padded, byte(n)), p[1:]...), text.String()...)
	}
	return out
}

// heardPackets is how many packets of calls a gateway has heard.
func heardPackets(t *testing.T, gw *process) float64 {
	t.Helper()
	return counted(t, gw, `portcullis_voice_packets_total{fate="heard"}`)
}

// counted is the value of a series of a gateway's metrics, 0 where it has none.
func counted(t *testing.T, gw *process, series string) (n float64) {
	t.Helper()
	for line := range strings.Lines(adminPage(t, gw, "/metrics")) {
		if v, ok := strings.CutPrefix(line, series+" "); ok {
			n, _ = strconv.ParseFloat(strings.TrimSpace(v), 64)
		}
	}
	return n
}

// understood waits for a verdict about something that was said.
func (p *talker) understood(t *testing.T, text string) {
	t.Helper()
	for {
		f, err := p.until(t.Context(), "voice.verdict", "")
		if err != nil {
			t.Fatalf("%q is not heard: %v", text, err)
		}
		request, _ := f["request_id"].(string)
		a, err := p.from.call(t.Context(), "GET", "checks/"+request, "")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(a.body), text) {
			return
		}
	}
}

// A live call goes on while the workers that listen to it die: what one had in hand another
// takes over; while there is none packets are still taken; and what is said once there is one
// again is understood.
func TestCallOutlivesItsWorkers(t *testing.T) {
	t.Parallel()
	redis := startRedis(t)
	dir := t.TempDir()
	env := []string{"PORTCULLIS_REDIS_URL=" + redis.url}
	gw := serveProcess(t, append(env, "PORTCULLIS_AUDIO_RUN=workers", "PORTCULLIS_AUDIO_WINDOW_DEADLINE=60s", "PORTCULLIS_CHAT_HEARTBEAT=5m", "PORTCULLIS_MODELS="+onnxtest.Models(t)), "--data", dir)
	game := newCaller(t, gw, env, dir)
	workers := map[int]*process{}
	hire := func() {
		w := startWorker(t, append(env, "PORTCULLIS_MODELS="+t.TempDir()), "audio") // toldEngine needs none
		workers[w.cmd.Process.Pid] = w
	}
	hire()
	hire()
	ann := talks(t, game, "ann")
	speech := packetsOf(t, "threat.opus")
	mark := filepath.Join(t.TempDir(), "holder")
	speak := func(findings ...string) {
		if err := ann.client.Speak(t.Context(), tellingPackets(t, speech, findings...), nil); err != nil {
			t.Fatal(err)
		}
	}
	speak("holds "+mark, "says go kill yourself you worthless faggot quickly")
	holder := 0
	eventually(t, "a worker takes a window", func() bool {
		text, _ := os.ReadFile(mark)
		holder, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return holder != 0
	})
	if workers[holder] == nil {
		t.Fatalf("process %d took the window, which is no worker", holder)
	}
	if err := workers[holder].kill(); err != nil {
		t.Fatal(err)
	}
	delete(workers, holder)
	ann.understood(t, "quickly")
	for _, w := range workers {
		if page := adminPage(t, w, "/metrics"); !strings.Contains(page, "portcullis_worker_claimed_total") {
			t.Error("the window that the dead worker had in hand was not taken over")
		}
		if err := w.kill(); err != nil {
			t.Fatal(err)
		}
	}

	before := heardPackets(t, gw)
	speak("says nothing much") // nobody listens
	eventually(t, "packets are taken without a worker", func() bool { return heardPackets(t, gw) >= before+float64(len(speech))/2 })
	hire()
	ann.says(t, tellingPackets(t, speech, "says go kill yourself you worthless faggot slowly"), 0)
	ann.understood(t, "slowly")
}
