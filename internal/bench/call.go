package bench

import (
	"context"
	"crypto/tls"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	speaker "github.com/portcullis-gg/portcullis/streams/voice/caller"
)

// What callers say: ordinary speech, and a threat. Both were made by espeak-ng and encoded
// as a browser does that is asked for 24 kbit/s and 16 kHz (opusenc --speech --bitrate 24
// --set-ctl-int 4004=1103).
var (
	//go:embed sounds/talk.opus
	talkFile []byte
	//go:embed sounds/threat.opus
	threatFile []byte
)

// voiceCall is one player in a call.
type voiceCall struct {
	conn   *connected
	client *speaker.Client
	pushes chan voicePush
}

// voicePush is what a player is told while it calls.
type voicePush struct {
	Type       string   `json:"type"`
	AtMS       int64    `json:"at_ms"`
	Categories []string `json:"categories"`
	at         time.Time
	raw        string
}

// dial opens the socket of a ws:// or wss:// URL.
func dialStream(ctx context.Context, raw string) (conn net.Conn, host string, err error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, "", err //nolint:wrapcheck // it names the URL
	}
	u.Scheme = strings.Replace(u.Scheme, "http", "ws", 1) // the address of the console will do
	port := u.Port()
	switch {
	case u.Scheme != "ws" && u.Scheme != "wss" || u.Hostname() == "":
		return nil, "", fmt.Errorf("%q must be ws://host:port or wss://host", raw)
	case port == "" && u.Scheme == "wss":
		port = "443"
	case port == "":
		port = "80"
	}
	var d net.Dialer
	conn, err = d.DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return nil, "", fmt.Errorf("connect: %w", err)
	}
	if u.Scheme == "wss" {
		conn = tls.Client(conn, &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12})
	}
	return conn, u.Host, nil
}

// call has a player call into a scene: it returns once sound can flow, with the time
// from its offer until then.
func (g *gateway) call(ctx context.Context, conn net.Conn, ticket, scene string) (*voiceCall, time.Duration, error) {
	v := &voiceCall{conn: &connected{conn: conn}, pushes: make(chan voicePush, 256)}
	setup, err := v.open(ctx, g, ticket, scene)
	if err != nil {
		return nil, 0, errors.Join(err, v.close())
	}
	return v, setup, nil
}

func (v *voiceCall) open(ctx context.Context, g *gateway, ticket, scene string) (time.Duration, error) {
	quoted, err := jsontext.AppendQuote(nil, scene)
	if err != nil {
		return 0, fmt.Errorf("scene name: %w", err)
	}
	if err := g.enter(v.conn, ticket, string(quoted)); err != nil {
		return 0, err
	}
	if v.client, err = speaker.New(speaker.Options{Loopback: true}); err != nil {
		return 0, err //nolint:wrapcheck // it names itself
	}
	offer, err := v.client.Offer()
	if err != nil {
		return 0, err //nolint:wrapcheck // as above
	}
	sdp, err := jsontext.AppendQuote(nil, offer)
	if err != nil {
		return 0, fmt.Errorf("offer: %w", err)
	}
	start := time.Now()
	var answer struct {
		SDP string `json:"sdp"`
	}
	if err := v.conn.ask(`{"type":"voice.offer","id":"offer","scene_id":`+string(quoted)+`,"sdp":`+string(sdp)+`}`, "voice.answer", &answer); err != nil {
		return 0, err
	}
	if err := v.client.Answer(answer.SDP); err != nil {
		return 0, err //nolint:wrapcheck // as above
	}
	select {
	case <-v.client.Connected():
	case <-time.After(helloTime):
		return 0, errors.New("the call was answered, and never connected")
	case <-ctx.Done():
		return 0, ctx.Err() //nolint:wrapcheck // the caller's own
	}
	return time.Since(start), v.conn.conn.SetDeadline(time.Time{})
}

// follow reads what the player is told until the connection ends, and pings meanwhile:
// whatever it is told, for a gateway goes by what it hears.
func (v *voiceCall) follow() {
	defer close(v.pushes)
	buf := v.conn.rest
	chunk := make([]byte, 8<<10)
	next := time.Now().Add(v.conn.heartbeat)
	for {
		_ = v.conn.conn.SetReadDeadline(next) // a broken one shows at the read
		n, err := v.conn.conn.Read(chunk)
		buf = append(buf, chunk[:n]...)
		var late net.Error
		if errors.As(err, &late) && late.Timeout() {
			err = nil
		}
		if now := time.Now(); err == nil && !now.Before(next) {
			next = now.Add(v.conn.heartbeat)
			_, err = v.conn.conn.Write(appendFrame(nil, opText, []byte(`{"type":"ping"}`), 0x5EED))
		}
		if err != nil {
			return
		}
		for {
			op, payload, size, err := readFrame(buf)
			if err != nil || size == 0 {
				break
			}
			if op == opText {
				v.told(payload)
			}
			buf = buf[size:]
		}
	}
}

// told passes a push on. Full-rule: nobody listens, it is dropped.
func (v *voiceCall) told(payload []byte) {
	p := voicePush{at: time.Now(), raw: string(payload)}
	if json.Unmarshal(payload, &p) != nil || !strings.HasPrefix(p.Type, "voice.") && p.Type != "notice" {
		return
	}
	select {
	case v.pushes <- p:
	default:
	}
}

// close ends the call and the session. It works on what open has left.
func (v *voiceCall) close() error {
	var err error
	if v.client != nil {
		err = v.client.Close()
	}
	return errors.Join(err, v.conn.conn.Close())
}

// quiet is one packet of 20 ms in which nothing is said, as libopus writes it: a client
// that we ask to leave silence out sends fewer.
var quiet = speaker.Packet{Data: []byte{0x48, 0x07, 0xc9, 0x79, 0xc8, 0xc9, 0x57, 0xc0}, Samples: 960}

// pause is so much of nothing.
func pause(d time.Duration) []speaker.Packet {
	list := make([]speaker.Packet, d/(20*time.Millisecond))
	for i := range list {
		list[i] = quiet
	}
	return list
}
