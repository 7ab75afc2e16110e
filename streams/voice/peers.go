package voice

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"github.com/pion/ice/v4"
	"github.com/pion/interceptor"
	"github.com/pion/logging"
	"github.com/pion/webrtc/v4"
)

// peers makes WebRTC connections, all of which share one UDP port and one certificate.
type peers struct {
	settings webrtc.SettingEngine
	media    *webrtc.MediaEngine
	cert     webrtc.Certificate
	conn     *net.UDPConn
	socket   *socket
	mux      ice.UDPMux
	addr     string
}

// opusCodec is the only codec: with it registered alone, no offer makes us take video,
// redundancy (RED) or retransmission, and a payload type of another number is still it.
var opusCodec = webrtc.RTPCodecParameters{
	RTPCodecCapability: webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: clock, Channels: 2, SDPFmtpLine: "minptime=10;useinbandfec=1"},
	PayloadType:        111,
}

// socketBuffer is what the kernel keeps for us while the process does something else:
// some seconds of a thousand calls.
const socketBuffer = 8 << 20

func newPeers(listen string, cfg *Config, log *slog.Logger) (*peers, error) {
	at, err := net.ResolveUDPAddr("udp", listen)
	if err != nil {
		return nil, fmt.Errorf("voice.listen: %w", err)
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, fmt.Errorf("voice.listen: %w", err)
	}
	if err := conn.SetReadBuffer(socketBuffer); err != nil {
		log.Debug("voice: small socket buffer", "err", err)
	}
	p := &peers{conn: conn, addr: conn.LocalAddr().String()}
	// Pion's default logger would write to standard error by itself.
	quiet := logging.NewDefaultLoggerFactory()
	quiet.DefaultLogLevel = logging.LogLevelDisabled
	p.socket = newSocket(conn)
	p.mux = ice.NewUDPMuxDefault(ice.UDPMuxParams{UDPConn: p.socket, Logger: quiet.NewLogger("ice")})
	if err := p.build(cfg, quiet); err != nil {
		return nil, errors.Join(err, p.mux.Close(), conn.Close())
	}
	return p, nil
}

func (p *peers) build(cfg *Config, quiet logging.LoggerFactory) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("voice: key: %w", err)
	}
	cert, err := webrtc.GenerateCertificate(key)
	if err != nil {
		return fmt.Errorf("voice: certificate: %w", err)
	}
	p.cert = *cert
	p.settings = webrtc.SettingEngine{LoggerFactory: quiet}
	se := &p.settings
	se.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	se.SetICEUDPMux(p.mux)
	se.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4, webrtc.NetworkTypeUDP6})
	se.SetIncludeLoopbackCandidate(p.conn.LocalAddr().(*net.UDPAddr).IP.IsLoopback()) //nolint:errcheck,forcetypeassert // a UDP socket's
	if len(cfg.PublicIPs) > 0 {
		err := se.SetICEAddressRewriteRules(webrtc.ICEAddressRewriteRule{
			External: cfg.PublicIPs, AsCandidateType: webrtc.ICECandidateTypeHost, Mode: webrtc.ICEAddressRewriteReplace,
		})
		if err != nil {
			return fmt.Errorf("voice.public_ips: %w", err)
		}
	}
	// The cookie of a handshake proves an address, which has been proved by then: ICE let it through.
	se.SetDTLSInsecureSkipHelloVerify(true)
	p.media = &webrtc.MediaEngine{}
	if err := p.media.RegisterCodec(opusCodec, webrtc.RTPCodecTypeAudio); err != nil {
		return fmt.Errorf("voice: codec: %w", err)
	}
	return nil
}

// connection makes a connection for an offer, which it has yet to get, and what its handshake
// will agree on. Where the client leaves it to us we are the server of that, whose keys can be
// derived. It has no interceptors: who only listens needs no retransmission and no congestion
// control, and reports on what it receives are made from what is heard (Call.report).
func (p *peers) connection(offer string) (*webrtc.PeerConnection, *secrets, error) {
	s, settings := &secrets{}, p.settings
	if !strings.Contains(offer, "a=setup:passive") { // Pion would say so whatever the client does
		if err := settings.SetAnsweringDTLSRole(webrtc.DTLSRoleServer); err != nil {
			return nil, nil, fmt.Errorf("voice: role: %w", err)
		}
	}
	settings.SetDTLSServerHelloMessageHook(s.hello)
	settings.SetDTLSKeyLogWriter(s)
	api := webrtc.NewAPI(webrtc.WithSettingEngine(settings), webrtc.WithMediaEngine(p.media), webrtc.WithInterceptorRegistry(&interceptor.Registry{}))
	pc, err := api.NewPeerConnection(webrtc.Configuration{Certificates: []webrtc.Certificate{p.cert}})
	if err != nil {
		return nil, nil, fmt.Errorf("voice: peer connection: %w", err)
	}
	return pc, s, nil
}

// close ends the port; connections have been closed before. It works on nil.
func (p *peers) close() {
	if p == nil {
		return
	}
	_ = p.mux.Close() // nothing of it is left to lose
	_ = p.conn.Close()
}
