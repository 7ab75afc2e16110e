package voice

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"sync"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/prf"
	"github.com/pion/dtls/v3/pkg/protocol/extension"
	"github.com/pion/dtls/v3/pkg/protocol/handshake"
	"github.com/pion/srtp/v3"
)

// secrets is what a connection's handshake (DTLS 1.2) agrees on, from which the keys of its
// packets are derived: Pion has them and gives them to nobody, but says all that makes them
// to who asks for its messages and its log of keys, which goes here alone. They stay in
// memory until context takes them, or until close. It works for the server of a handshake, which we are
// unless a client insists; a client learns no server's random this way, and keeps nothing.
type secrets struct {
	mu             sync.Mutex
	closed         bool
	suite          dtls.CipherSuiteID
	profile        srtp.ProtectionProfile
	server, client []byte // randoms
	master         []byte
}

// errNoKeys says that a connection's keys are not known here: Pion decrypts then.
var errNoKeys = errors.New("voice: the keys of a connection are not known")

// hello takes note of our part of a handshake on its way out.
func (s *secrets) hello(m handshake.MessageServerHello) handshake.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	random := m.Random.MarshalFixed()
	s.forget()
	s.server, s.client, s.profile = random[:], nil, 0
	if m.CipherSuiteID != nil {
		s.suite = dtls.CipherSuiteID(*m.CipherSuiteID)
	}
	for _, e := range m.Extensions {
		if use, ok := e.(*extension.UseSRTP); ok && len(use.ProtectionProfiles) == 1 && len(use.MasterKeyIdentifier) == 0 {
			s.profile = srtp.ProtectionProfile(use.ProtectionProfiles[0])
		}
	}
	return &m
}

// Write takes a line of the log of keys (draft-ietf-tls-keylogfile): what it is of, the
// client's random and the master secret, both in hex.
func (s *secrets) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := bytes.Fields(line); len(f) == 3 && string(f[0]) == "CLIENT_RANDOM" && len(s.server) > 0 && !s.closed {
		s.forget()
		client, err := hex.AppendDecode(nil, f[1])
		master, bad := hex.AppendDecode(nil, f[2])
		if err == nil && bad == nil {
			s.client, s.master = client, master
		}
	}
	return len(line), nil
}

// close forgets the secrets, and those of a handshake that still goes on.
func (s *secrets) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.forget()
}

// forget is done with mu held.
func (s *secrets) forget() {
	clear(s.master)
	s.master = nil
}

// context decrypts what the client of the handshake sends (RFC 5764 section 4.2). The secrets
// are forgotten.
func (s *secrets) context() (*srtp.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.forget()
	if len(s.server) == 0 || len(s.master) == 0 || s.profile == 0 {
		return nil, errNoKeys
	}
	c := srtp.Config{Profile: s.profile}
	err := c.ExtractSessionKeysFromDTLS(exporter(s.export), false)
	if err != nil {
		return nil, fmt.Errorf("voice: keys: %w", err)
	}
	k := &c.Keys
	defer func() { // what a packet needs is derived of them
		for _, key := range [][]byte{k.RemoteMasterKey, k.RemoteMasterSalt, k.LocalMasterKey, k.LocalMasterSalt} {
			clear(key)
		}
	}()
	in, err := srtp.CreateContext(k.RemoteMasterKey, k.RemoteMasterSalt, s.profile, srtp.SRTPReplayProtection(replayWindow))
	if err != nil {
		return nil, fmt.Errorf("voice: keys: %w", err)
	}
	return in, nil
}

// replayWindow is how far back a packet may lie that was not seen yet: what Pion has.
const replayWindow = 64

// export derives keying material (RFC 5705 section 4); mu is held.
func (s *secrets) export(label string, _ []byte, length int) ([]byte, error) {
	seed := append(append([]byte(label), s.client...), s.server...)
	return prf.PHash(s.master, seed, length, s.hash()) //nolint:wrapcheck // context does
}

// hash is that of the suite: the name of each tells.
func (s *secrets) hash() func() hash.Hash {
	switch s.suite { //nolint:exhaustive // all others have SHA-256
	case dtls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, dtls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384:
		return sha512.New384
	}
	return sha256.New
}

type exporter func(label string, context []byte, length int) ([]byte, error)

func (e exporter) ExportKeyingMaterial(label string, context []byte, length int) ([]byte, error) {
	return e(label, context, length)
}
