package sqlstore

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MasterKeyEnv is the environment variable that holds the master key in hex; the
// file is then neither read nor made.
const MasterKeyEnv = "PORTCULLIS_MASTER_KEY"

// LoadMasterKey returns the key that encrypts secrets at rest, from the
// environment or from dir/master.key, which is made at the first start. Processes
// that start at the same time get the same key.
func LoadMasterKey(dir string) ([32]byte, error) {
	if text := os.Getenv(MasterKeyEnv); text != "" {
		key, err := parseMasterKey(text)
		if err != nil {
			return key, fmt.Errorf("%s: %w", MasterKeyEnv, err)
		}
		return key, nil
	}
	path := filepath.Join(dir, "master.key")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeMasterKey(dir, path); err != nil {
			return [32]byte{}, fmt.Errorf("make master key: %w", err)
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return [32]byte{}, fmt.Errorf("read master key: %w", err)
	}
	key, err := parseMasterKey(string(text))
	if err != nil {
		return key, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// DeriveKey makes a key for one purpose of the master key: who has the one knows
// nothing of the other.
func DeriveKey(master [32]byte, purpose string) (key [32]byte) {
	mac := hmac.New(sha256.New, master[:])
	_, _ = mac.Write([]byte("portcullis key\n" + purpose)) // a hash takes all
	copy(key[:], mac.Sum(nil))
	return key
}

func parseMasterKey(text string) (key [32]byte, err error) {
	raw, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw) != len(key) {
		return key, errors.New("must be 64 hex digits")
	}
	copy(key[:], raw)
	if key == [32]byte{} {
		return key, errors.New("must not be all zero")
	}
	return key, nil
}

// makeMasterKey puts a whole, synced file at path. Linking fails when another
// process was first, and that one's key then stands.
func makeMasterKey(dir, path string) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var key [32]byte
	_, _ = rand.Read(key[:])                        // never fails (crypto/rand)
	tmp, err := os.CreateTemp(dir, ".master.key-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(tmp.Name())) }()
	_, err = tmp.WriteString(hex.EncodeToString(key[:]) + "\n")
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
