package audit

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// Key signs for an installation. Whoever can write to the database and has no key
// cannot make a checkpoint.
type Key struct{ private ed25519.PrivateKey }

// NewKey is the key of a seed, which is secret.
func NewKey(seed [32]byte) Key { return Key{ed25519.NewKeyFromSeed(seed[:])} }

// Public is the key that checks, base64.
func (k Key) Public() string {
	public, _ := k.private.Public().(ed25519.PublicKey) // of this type always
	return base64.StdEncoding.EncodeToString(public)
}

// Sign returns the public key and the signature of a message, both base64.
func (k Key) Sign(message []byte) (key, signature string) {
	return k.Public(), base64.StdEncoding.EncodeToString(ed25519.Sign(k.private, message))
}

// statement is what is signed of a checkpoint.
func statement(c *store.Checkpoint) []byte {
	return fmt.Appendf(nil, "portcullis-audit-checkpoint-v1\n%s\n%d\n%s\n%d", c.Chain, c.Seq, c.Hash, c.TS.UnixMilli())
}

// Genuine reports whether a checkpoint was signed with the public key, base64.
func Genuine(c *store.Checkpoint, key string) bool {
	return c.Key == key && SignedBy(key, c.Signature, statement(c))
}

// SignedBy reports whether a signature of a message is good; key and signature are base64.
func SignedBy(key, signature string, message []byte) bool {
	k, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(k) != ed25519.PublicKeySize {
		return false
	}
	s, err := base64.StdEncoding.DecodeString(signature)
	return err == nil && ed25519.Verify(k, message, s)
}
