package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // the WebSocket handshake is defined with SHA-1
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/sync/errgroup"
)

// helloTime bounds the way from dial to ready.
const helloTime = 20 * time.Second

// gateway is where sessions go and who vouches for them.
type gateway struct {
	addr   string // host:port
	path   string
	app    string
	secret string
	run    string // a nonce in every player's and scene's name, so that runs don't meet
	scenes int    // members per scene
	// language is that of the players, in their tickets; "" where nobody knows it.
	language string
	join     bool
}

// connected is one connection ready for load.
type connected struct {
	conn      net.Conn
	rest      []byte
	scene     string
	heartbeat time.Duration
}

// ticket mints what a game server mints offline for its players (WIRE.md §2).
func (g *gateway) ticket(player, scene string, now time.Time) (string, error) {
	jti := make([]byte, 16)
	_, _ = rand.Read(jti) // never fails (crypto/rand)
	claims := jwt.MapClaims{
		"iss": g.app, "sub": player, "aud": "portcullis", "jti": hex.EncodeToString(jti),
		"iat": now.Unix(), "exp": now.Add(4 * time.Minute).Unix(), "scenes": []string{scene},
	}
	if g.language != "" {
		claims["language"] = g.language
	}
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	signed, err := token.SignedString([]byte(g.secret))
	if err != nil {
		return "", fmt.Errorf("sign ticket: %w", err)
	}
	return signed, nil
}

// session connects player n and brings it to where it can chat.
func (g *gateway) session(ctx context.Context, n int) (*connected, error) {
	player := "bench-" + g.run + "-" + strconv.Itoa(n)
	scene := "scene-" + g.run + "-" + strconv.Itoa(n/g.scenes)
	ticket, err := g.ticket(player, scene, time.Now())
	if err != nil {
		return nil, err
	}
	quoted, err := jsontext.AppendQuote(nil, scene)
	if err != nil {
		return nil, fmt.Errorf("scene name: %w", err)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", g.addr)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	c := &connected{conn: conn, scene: `","scene_id":` + string(quoted) + `,"content":`}
	if err := g.enter(c, ticket, string(quoted)); err != nil {
		return nil, errors.Join(fmt.Errorf("session %d: %w", n, err), conn.Close())
	}
	return c, nil
}

// enter upgrades, says hello and joins.
func (g *gateway) enter(c *connected, ticket, scene string) error {
	if err := c.conn.SetDeadline(time.Now().Add(helloTime)); err != nil {
		return fmt.Errorf("set deadline: %w", err)
	}
	if err := g.upgrade(c, ticket); err != nil {
		return err
	}
	var ready struct {
		Heartbeat int64 `json:"heartbeat_ms"`
	}
	if err := c.ask(`{"type":"hello","app_version":"bench"}`, "ready", &ready); err != nil {
		return err
	}
	c.heartbeat = time.Duration(max(ready.Heartbeat, 1)) * time.Millisecond
	if g.join {
		if err := c.ask(`{"type":"join","id":"join","scene_id":`+scene+`}`, "ok", nil); err != nil {
			return err
		}
	}
	return nil
}

func (g *gateway) upgrade(c *connected, ticket string) error {
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce) // never fails (crypto/rand)
	key := base64.StdEncoding.EncodeToString(nonce)
	request := "GET " + g.path + " HTTP/1.1\r\nHost: " + g.addr + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + "\r\nSec-WebSocket-Protocol: portcullis.v1\r\n" +
		"Authorization: Bearer " + ticket + "\r\n\r\n"
	if _, err := c.conn.Write([]byte(request)); err != nil {
		return fmt.Errorf("upgrade: %w", err)
	}
	const most = 8 << 10
	for {
		if head, rest, ok := bytes.Cut(c.rest, []byte("\r\n\r\n")); ok {
			c.rest = bytes.Clone(rest)
			return checkUpgrade(string(head), key)
		}
		if len(c.rest) > most {
			return errors.New("upgrade: answer has no end")
		}
		if err := c.read(); err != nil {
			return fmt.Errorf("upgrade: %w", err)
		}
	}
}

func checkUpgrade(head, key string) error {
	lines := strings.Split(head, "\r\n")
	if !strings.HasPrefix(lines[0], "HTTP/1.1 101 ") {
		return errors.New("upgrade refused: " + lines[0])
	}
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // RFC 6455, section 4.2.2
	want := base64.StdEncoding.EncodeToString(sum[:])
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(name, "Sec-WebSocket-Accept") && strings.TrimSpace(value) == want {
			return nil
		}
	}
	return errors.New("upgrade: Sec-WebSocket-Accept is missing or wrong")
}

func (c *connected) read() error {
	buf := make([]byte, 2048)
	n, err := c.conn.Read(buf)
	c.rest = append(c.rest, buf[:n]...)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	return nil
}

// ask sends one message and waits for its answer, which it decodes into v if
// that isn't nil. Other frames that come before are left out.
func (c *connected) ask(message, wanted string, v any) error {
	if _, err := c.conn.Write(appendFrame(nil, opText, []byte(message), 0x5EED)); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	for {
		op, payload, size, err := readFrame(c.rest)
		if err != nil {
			return err
		}
		if size == 0 {
			if err := c.read(); err != nil {
				return fmt.Errorf("waiting for %s: %w", wanted, err)
			}
			continue
		}
		c.rest = c.rest[size:]
		if op == opClose {
			return fmt.Errorf("waiting for %s: %s", wanted, closeReason(payload))
		}
		if op != opText {
			continue
		}
		m, err := parseAnswer(payload)
		switch {
		case err != nil:
			return err
		case m.Type == "error":
			return fmt.Errorf("waiting for %s: error %d", wanted, m.Code)
		case m.Type == wanted && v != nil:
			if err := json.Unmarshal(payload, v); err != nil {
				return fmt.Errorf("decode %s: %w", wanted, err)
			}
			return nil
		case m.Type == wanted:
			return nil
		}
	}
}

// connectAll opens n connections, at most ramp of them at once, and hands each
// to adopt, in order of their numbers.
func connectAll(ctx context.Context, n, ramp int, open func(context.Context, int) (*connected, error), adopt func(*connected) error) error {
	for from := 0; from < n; from += ramp {
		batch := make([]*connected, min(ramp, n-from))
		group, gctx := errgroup.WithContext(ctx)
		for i := range batch {
			group.Go(func() (err error) {
				batch[i], err = open(gctx, from+i)
				return err
			})
		}
		err := group.Wait()
		for i, c := range batch {
			switch {
			case c == nil:
			case err != nil:
				err = errors.Join(err, c.conn.Close())
			default:
				err = adopt(batch[i])
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// plainly opens a connection to the echo, which has no hello.
func plainly(addr string) func(context.Context, int) (*connected, error) {
	return func(ctx context.Context, n int) (*connected, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return nil, fmt.Errorf("connect to echo: %w", err)
		}
		return &connected{conn: conn, scene: fmt.Sprintf(`","scene_id":"scene-%08x-%d","content":`, 0, n)}, nil
	}
}
