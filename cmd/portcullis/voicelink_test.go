package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines/onnx/onnxtest"
)

// voicesHeard is how many windows of speech were heard to know their voices.
func voicesHeard(t *testing.T, gw *process) float64 {
	t.Helper()
	return counted(t, gw, `portcullis_voicelink_windows_total{fate="taken"}`)
}

// inTime is eventually for what takes its time on a machine with much else to do.
func inTime(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(4 * patience); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in %v", what, 4*patience)
		}
	}
}

// The voice of a player who was muted is kept where the policy says on what that rests, and
// alone there; another player who has it comes before a person, with the reason, and one who
// has another voice does not. An erasure takes the voice.
func TestBannedVoiceIsKnownAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "portcullis.yaml")
	if err := os.WriteFile(file, []byte("audio: {words: []}\npolicy: {fail: open}\n"), 0o600); err != nil { // no words: whose voice it is
		t.Fatal(err)
	}
	gw := serveProcess(t, []string{"PORTCULLIS_MODELS=" + onnxtest.Models(t)}, "--data", dir, "--config", file)
	game, root := newCaller(t, gw, nil, dir), moderator(t, gw, gw).from
	lines := func() (actions string) {
		a := root.must(t, 200, "GET", "audit?action=voice.*&limit=20", "")
		for i := range 20 {
			if action, ok := member(a, fmt.Sprintf("entries.%d.action", i)); ok {
				actions = fmt.Sprint(action, " ", actions)
			}
		}
		return strings.TrimSpace(actions)
	}
	speech, other := packetsOf(t, "speech.opus"), packetsOf(t, "other.opus")
	ann := talks(t, game, "ann")
	ann.says(t, speech, 0)
	inTime(t, "ann is heard", func() bool { return heardPackets(t, gw) > 600 })
	if n := voicesHeard(t, gw); n != 0 {
		t.Errorf("%v windows were heard for their voices, without a policy", n)
	}
	refused := game.must(t, 400, "PUT", "policies/global/default", `{"banned_voices":{"link":true}}`)
	if text := fmt.Sprint(refused); !strings.Contains(text, "banned_voices/basis") || !strings.Contains(text, "biometric") {
		t.Errorf("a policy without a basis is refused with %v", text)
	}
	game.must(t, 200, "PUT", "policies/global/default", `{"banned_voices":{"link":true,"basis":"consent at the first call, notice of May","days":30}}`)
	inTime(t, "ann's voice", func() bool { return voicesHeard(t, gw) >= 14 })
	game.must(t, 200, "POST", "players/ann/penalties", `{"kind":"mute_voice","duration_hours":1,"reason":"threats"}`)
	inTime(t, "the voice is kept", func() bool { return lines() == "voice.keep" })

	bob, cat := talks(t, game, "bob"), talks(t, game, "cat")
	bob.says(t, speech, 0)
	cat.says(t, other, 0)
	var cases map[string]any
	inTime(t, "a case", func() bool {
		cases = root.must(t, 200, "GET", "cases?app_id=game&kind=ban_evasion", "")
		_, ok := member(cases, "cases.0.case_id")
		return ok
	})
	inTime(t, "both have said enough", func() bool { return voicesHeard(t, gw) >= 30 })
	cases = root.must(t, 200, "GET", "cases?app_id=game&kind=ban_evasion", "")
	if _, more := member(cases, "cases.1.case_id"); more {
		t.Errorf("want one case: %v", cases)
	}
	id, _ := member(cases, "cases.0.case_id")
	c := root.must(t, 200, "GET", fmt.Sprintf("cases/%v", id), "")
	for path, want := range map[string]string{"player_id": "bob", "economy.link.banned_player_id": "ann", "economy.link.by": "voice"} {
		if got, _ := member(c, path); got != want {
			t.Errorf("%s is %v, want %s: %v", path, got, want, c)
		}
	}
	if alike, _ := member(c, "economy.link.voice.similarity"); fmt.Sprint(alike) < "0.93" {
		t.Errorf("a similarity of %v", alike)
	}
	if got := lines(); got != "voice.keep voice.link" {
		t.Errorf("audit log: %s", got)
	}

	inTime(t, "the erasure", func() bool {
		a, err := game.call(t.Context(), "DELETE", "players/ann", "")
		return err == nil && a.status == 200 && strings.Contains(string(a.body), `"voice_print":1`)
	})
}
