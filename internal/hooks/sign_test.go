package hooks

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// The example that the libraries of Standard Webhooks test themselves with.
func TestSign(t *testing.T) {
	const (
		secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
		id     = "msg_p5jXN8AQM9LWM0D4loKWxJek"
		body   = `{"test": 2432232314}`
		want   = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	)
	got := sign(secret, id, time.Unix(1614265330, 0), []byte(body))
	if got != want {
		t.Errorf("sign() = %s, want %s", got, want)
	}
}

// Each secret that serves signs; each new one is a key of its own.
func TestSignatures(t *testing.T) {
	at, body := time.Unix(1614265330, 999), []byte("{}")
	a, b := newSecret(), newSecret()
	if key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a, "whsec_")); err != nil || len(key) != keyBytes || a == b {
		t.Errorf("secrets %q and %q", a, b)
	}
	got := signatures([]store.HookSecret{{Secret: a}, {Secret: b}}, "id", at, body)
	if want := sign(a, "id", at, body) + " " + sign(b, "id", at, body); got != want {
		t.Errorf("signatures() = %s, want %s", got, want)
	}
}
