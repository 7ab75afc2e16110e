package sqlstore

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
)

// sealer encrypts app secrets at rest: AES-256-GCM, a random nonce before the
// ciphertext, and app and key id as additional data, so that a row copied to
// another app does not open. HMAC needs the secret itself, so a hash won't do.
type sealer struct{ aead cipher.AEAD }

func newSealer(key [32]byte) (sealer, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return sealer{}, fmt.Errorf("master key: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return sealer{}, fmt.Errorf("master key: %w", err)
	}
	return sealer{aead: aead}, nil
}

func (s sealer) seal(app engines.AppID, keyID, secret string) []byte {
	nonce := make([]byte, s.aead.NonceSize(), s.aead.NonceSize()+len(secret)+s.aead.Overhead())
	_, _ = rand.Read(nonce) // never fails (crypto/rand)
	return s.aead.Seal(nonce, nonce, []byte(secret), sealedFor(app, keyID))
}

func (s sealer) open(app engines.AppID, keyID string, sealed []byte) (string, error) {
	n := s.aead.NonceSize()
	if len(sealed) < n {
		return "", errors.New("stored secret is cut short")
	}
	plain, err := s.aead.Open(nil, sealed[:n], sealed[n:], sealedFor(app, keyID))
	if err != nil {
		return "", fmt.Errorf("stored secret does not open with this master key: %w", err)
	}
	return string(plain), nil
}

func sealedFor(app engines.AppID, keyID string) []byte {
	return []byte(string(app) + "\x00" + keyID)
}
