package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestVerificationOfTheReadme has the lines that the README gives receivers look at a
// webhook as it came, and at ones that are not genuine.
func TestVerificationOfTheReadme(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("python3 is not installed: make test installs it, or says so")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?s)```python\n(def genuine.*?)```").FindSubmatch(text)
	if lines == nil {
		t.Fatal("the README has no lines that verify a webhook")
	}
	vars := []string{"PORTCULLIS_WEBHOOKS_ALLOW_PRIVATE=true", "PORTCULLIS_WEBHOOKS_ALLOW_HTTP=true"}
	dir := t.TempDir()
	p := serveProcess(t, vars, "--data", dir)
	game, r := newCaller(t, p, vars, dir), newReceiver(t)
	game.must(t, 200, "POST", "webhooks/"+listen(t, game, r, `["*"]`)+"/test", "")
	eventually(t, "the test event", func() bool { return len(r.of("webhook.test")) > 0 })
	r.mu.Lock()
	defer r.mu.Unlock()
	head := map[string]string{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		head[name] = r.head.Get(name)
	}
	input, err := json.Marshal(map[string]any{"secret": r.secret, "headers": head, "body": string(r.body)})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", "import base64, hashlib, hmac, json, sys, time\n"+string(lines[1])+`
x = json.load(sys.stdin)
s, h, b = x["secret"], x["headers"], x["body"].encode()
late = dict(h, **{"webhook-timestamp": str(int(h["webhook-timestamp"]) - 3600)})
print(genuine(s, h, b), genuine(s, h, b + b" "), genuine("whsec_" + base64.b64encode(b"x" * 32).decode(), h, b), genuine(s, late, b))
`)
	cmd.Stdin = strings.NewReader(string(input))
	out, err := cmd.CombinedOutput()
	if got, want := strings.TrimSpace(string(out)), "True False False False"; err != nil || got != want {
		t.Errorf("genuine, changed, another's, late: %q, %v; want %q", got, err, want)
	}
}
