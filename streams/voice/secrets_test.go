package voice

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"
	"github.com/pion/dtls/v3/pkg/protocol/handshake"
	"github.com/pion/srtp/v3"
)

// What is derived of a handshake is what its client has.
func TestSecrets(t *testing.T) {
	for _, suite := range []dtls.CipherSuiteID{dtls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, dtls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384} {
		for _, profile := range []dtls.SRTPProtectionProfile{dtls.SRTP_AEAD_AES_128_GCM, dtls.SRTP_AEAD_AES_256_GCM, dtls.SRTP_AES128_CM_HMAC_SHA1_80} {
			cert, err := selfsign.GenerateSelfSigned()
			if err != nil {
				t.Fatal(err)
			}
			ours, theirs := listenUDP(t, "127.0.0.1:0"), listenUDP(t, "127.0.0.1:0")
			s := &secrets{}
			if _, err := s.context(); err == nil {
				t.Error("keys of no handshake")
			}
			server, err := dtls.ServerWithOptions(ours, theirs.LocalAddr(), dtls.WithCertificates(cert), dtls.WithSRTPProtectionProfiles(profile),
				dtls.WithServerHelloMessageHook(s.hello), dtls.WithKeyLogWriter(s))
			if err != nil {
				t.Fatal(err)
			}
			client, err := dtls.ClientWithOptions(theirs, ours.LocalAddr(), dtls.WithCertificates(cert), dtls.WithSRTPProtectionProfiles(profile),
				dtls.WithInsecureSkipVerify(true), dtls.WithCipherSuites(suite))
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- server.Handshake() }()
			if err := client.Handshake(); err != nil {
				t.Fatal(err)
			}
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			state, _ := client.ConnectionState()
			c := srtp.Config{Profile: srtp.ProtectionProfile(profile)}
			if err := c.ExtractSessionKeysFromDTLS(&state, true); err != nil {
				t.Fatal(err)
			}
			out, err := srtp.CreateContext(c.Keys.LocalMasterKey, c.Keys.LocalMasterSalt, c.Profile)
			if err != nil {
				t.Fatal(err)
			}
			in, err := s.context()
			if err != nil {
				t.Fatal(err)
			}
			plain, err := in.DecryptRTP(nil, sealed(t, out, 7, 111, 9), nil)
			if err != nil || binary.BigEndian.Uint16(plain[2:]) != 9 {
				t.Errorf("%v, profile %v: %v", suite, profile, err)
			}
			if len(s.master) != 0 {
				t.Error("the secret is kept")
			}
			_, _ = client.Close(), server.Close()
		}
	}
}

// Keys of a handshake that nobody asks for are gone with their call, and those that come later are not kept.
func TestSecretsEnd(t *testing.T) {
	line := []byte("CLIENT_RANDOM " + strings.Repeat("01", 32) + " " + strings.Repeat("02", 48) + "\n")
	for name, end := range map[string]func(*secrets){
		"closed": (*secrets).close, "of no profile": func(s *secrets) { _, _ = s.context() },
		"a second handshake": func(s *secrets) { s.hello(handshake.MessageServerHello{}) },
		"a broken line":      func(s *secrets) { _, _ = s.Write([]byte("CLIENT_RANDOM 0 0")) },
	} {
		s := &secrets{}
		if _, _ = s.Write(line); s.master != nil {
			t.Errorf("%s: kept as a client", name)
		}
		s.hello(handshake.MessageServerHello{})
		if _, _ = s.Write(line); len(s.master) != 48 {
			t.Fatalf("%s: %d bytes", name, len(s.master))
		}
		was := s.master
		if end(s); s.master != nil || slices.Contains(was, 2) {
			t.Errorf("%s: the secret is kept", name)
		}
		if name == "closed" {
			if _, _ = s.Write(line); s.master != nil {
				t.Error("kept after the end")
			}
		}
	}
}
