package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// callSounds are what tests of calls say.
const callSounds = "../../streams/voice/testdata/"

// talker is a player with a call, and what reaches it of others.
type talker struct {
	*player
	client *speaker.Client

	mu    sync.Mutex
	heard map[string]int // packets by what is in them
}

// of is how many packets of a sound came, of which each is told by its first bytes.
func (p *talker) of(list []speaker.Packet) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range list {
		n += p.heard[string(list[i].Data)]
	}
	return n
}

// talks has a player enter the lobby and call.
func talks(t *testing.T, from *caller, name string) *talker {
	t.Helper()
	p := &talker{player: enter(t, from, name), heard: map[string]int{}}
	var err error
	p.client, err = speaker.New(speaker.Options{Loopback: true, Voices: 2, Heard: func(_ string, packet *speaker.Received) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.heard[string(packet.Payload)]++
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.client.Close() })
	offer, err := p.client.Offer()
	if err == nil {
		err = p.send(t.Context(), frame{"type": "voice.offer", "id": "offer", "scene_id": lobby, "sdp": offer})
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.until(t.Context(), "voice.answer", "offer")
	if err == nil {
		err = p.client.Answer(answer.str("sdp"))
	}
	if err != nil || answer.str("sdp") == "" {
		t.Fatalf("answer %v: %v", answer, err)
	}
	select {
	case <-p.client.Connected():
	case <-time.After(patience):
		t.Fatal("not connected")
	}
	return p
}

// says has a call send a sound again and again, later by so many packets, until the test
// ends.
func (p *talker) says(t *testing.T, list []speaker.Packet, later int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		wait := make([]speaker.Packet, later)
		for i := range wait {
			wait[i] = speaker.Packet{Data: []byte{0xf8, 0xff, 0xfe}, Samples: 960} // silence
		}
		err := p.client.Speak(ctx, wait, nil)
		for err == nil {
			err = p.client.Speak(ctx, list, nil)
		}
		if !errors.Is(err, context.Canceled) {
			t.Logf("%s speaks: %v", p.name, err)
		}
	})
	t.Cleanup(func() { cancel(); done.Wait() })
}

func packetsOf(t *testing.T, file string) []speaker.Packet {
	t.Helper()
	b, err := os.ReadFile(callSounds + file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := speaker.ReadOgg(b)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// calling is a gateway with the models of a folder.
func calling(t *testing.T, folder, config string) *caller {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "portcullis.yaml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serveProcess(t, []string{"PORTCULLIS_MODELS=" + folder}, "--data", dir, "--config", file)
	return newCaller(t, p, nil, dir)
}

// Players of a scene that is relayed hear each other. One whose voice is muted is told, and
// heard by nobody from then on; it hears the others.
func TestRelayedSceneMutes(t *testing.T) {
	t.Parallel()
	game := calling(t, t.TempDir(), `
voice:
  relay: [{app: game, scenes: [lobby]}]
`)
	ann, bob, cat := talks(t, game, "ann"), talks(t, game, "bob"), talks(t, game, "cat")
	tone, speech := packetsOf(t, "tone.opus"), packetsOf(t, "speech.opus")
	bob.says(t, speech, 0)
	ann.says(t, tone, 0)
	eventually(t, "all hear what others say", func() bool {
		return ann.of(speech) > 20 && cat.of(speech) > 20 && bob.of(tone) > 20 && cat.of(tone) > 20
	})
	game.must(t, 200, "POST", "players/ann/penalties", `{"kind":"mute_voice","duration_hours":1,"reason":"loud"}`)
	if f, err := ann.until(t.Context(), "voice.mute", ""); err != nil || f.str("until") == "" {
		t.Fatalf("mute %v: %v", f, err)
	}
	// What was on its way at the mute may still come, on a busy machine late.
	eventually(t, "that nobody hears who is muted while the others go on, and are heard by it", func() bool {
		before, goesOn, still := bob.of(tone)+cat.of(tone), cat.of(speech), ann.of(speech)
		eventually(t, "the others go on", func() bool { return cat.of(speech) > goesOn+30 && ann.of(speech) > still+30 })
		return bob.of(tone)+cat.of(tone) == before
	})
}

// A microphone that gives back what another player of the scene says is told as an echo; who
// speaks is not, nor is what is heard in another scene.
func TestEchoOfAnotherPlayer(t *testing.T) {
	t.Parallel()
	game := calling(t, t.TempDir(), `
policy: {categories: {acoustic: {action: review}}}
`)
	ann, bob := talks(t, game, "ann"), talks(t, game, "bob")
	speech := packetsOf(t, "speech.opus")
	ann.says(t, speech, 0)
	bob.says(t, speech, 12) // 240 ms behind
	f, err := bob.until(t.Context(), "voice.verdict", "")
	if err != nil {
		t.Fatal(err)
	}
	request, _ := f["request_id"].(string)
	got := game.must(t, 200, "GET", "checks/"+request, "")
	if kind, _ := member(got, "result.label.0.sub_label"); kind != "echo" {
		t.Errorf("bob's sound is %v", got)
	}
	for _, f := range ann.pending {
		if f.str("type") == "voice.verdict" {
			t.Errorf("who spoke was told %v", f)
		}
	}
}

// A threat that is spoken is understood, comes to a mute by the ladder with nobody's help, and the
// gateway carries it out: the player is told, in its chat too, and the others of the scene
// hear it no more.
func TestASpokenThreatMutes(t *testing.T) {
	t.Parallel()
	game := calling(t, onnxtest.Models(t), `
voice:
  relay: [{app: game, scenes: [lobby]}]
policy: {categories: {violence: {action: block}}}
penalties:
  automatic: true
  layers:
    mode/voice: {weights: {default: [1, 1, 1, 1]}, steps: [{weight: 1, kind: mute_voice, hours: 1}, {weight: 1, kind: mute_text, hours: 1}]}
`)
	ann, bob := talks(t, game, "ann"), talks(t, game, "bob")
	threat := packetsOf(t, "threat.opus")
	ann.says(t, threat, 0)
	eventually(t, "bob hears ann", func() bool { return bob.of(threat) > 20 })
	f, err := ann.until(t.Context(), "voice.mute", "")
	if err != nil || f.str("until") == "" {
		t.Fatalf("mute %v: %v", f, err)
	}
	verdict, err := ann.until(t.Context(), "voice.verdict", "")
	if err != nil {
		t.Fatal(err)
	}
	request, _ := verdict["request_id"].(string)
	got := game.must(t, 200, "GET", "checks/"+request, "")
	if category, _ := member(got, "result.label.0.category"); category != "violence" {
		t.Errorf("ann's sound is %v", got)
	}
	refuses(t, ann.player, "chat")
	list := game.must(t, 200, "GET", "players/ann/penalties", "")
	var given []string
	for i := range 2 {
		kind, _ := member(list, "penalties."+strconv.Itoa(i)+".kind")
		by, _ := member(list, "penalties."+strconv.Itoa(i)+".by")
		given = append(given, fmt.Sprint(kind, " by ", by))
	}
	slices.Sort(given)
	if !slices.Equal(given, []string{"mute_text by ladder", "mute_voice by ladder"}) {
		t.Errorf("penalties %v", list)
	}
	// What was on its way at the mute may still come, on a busy machine late.
	eventually(t, "that bob does not hear ann, who goes on", func() bool {
		before := bob.of(threat)
		time.Sleep(time.Second)
		return bob.of(threat) == before
	})
}
