package hooks

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// secretPrefix marks a signing secret (Standard Webhooks); what follows is the key in
// base64.
const secretPrefix = "whsec_"

// keyBytes is the length of a key; Standard Webhooks asks for 24 to 64.
const keyBytes = 32

// newSecret makes a signing secret.
func newSecret() string {
	b := make([]byte, keyBytes)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return secretPrefix + base64.StdEncoding.EncodeToString(b)
}

// signatures is the webhook-signature header: one of each secret, so that a receiver
// may know any of them.
func signatures(secrets []store.HookSecret, id string, at time.Time, body []byte) string {
	list := make([]string, 0, len(secrets))
	for _, s := range secrets {
		list = append(list, sign(s.Secret, id, at, body))
	}
	return strings.Join(list, " ")
}

// sign is a signature in the form of Standard Webhooks: HMAC-SHA256 over
// "id.timestamp.body", the timestamp in Unix seconds.
func sign(secret, id string, at time.Time, body []byte) string {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil { // not one of ours: its bytes are the key
		key = []byte(secret)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
