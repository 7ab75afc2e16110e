package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
)

// caller is a game server: it signs what it sends.
type caller struct {
	base   string
	app    engines.AppID
	secret string
	client *http.Client
}

func newCaller(g *gateway, conns int) *caller {
	return &caller{
		base: "http://" + g.addr, app: engines.AppID(g.app), secret: g.secret,
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: conns, MaxConnsPerHost: conns, DisableCompression: true}},
	}
}

// refused is an answer that is no success.
type refused struct {
	status int
	// again: the answer itself asks to come again later.
	again bool
	body  string
}

func (r *refused) Error() string { return fmt.Sprintf("HTTP %d: %s", r.status, r.body) }

// sign is the Authorization header of a request.
func (c *caller) sign(method, target string, body []byte) string {
	return c.signSum(method, target, sha256.Sum256(body))
}

func (c *caller) signSum(method, target string, sum [sha256.Size]byte) string {
	signed := auth.SVC{App: c.app, Timestamp: strconv.FormatInt(time.Now().Unix(), 10)}
	signed.Signature = auth.Sign(c.secret, auth.StringToSign(c.app, signed.Timestamp, "", method, target, sum))
	return signed.Header("SVC")
}

// signOnce are the headers of a request that is taken once.
func (c *caller) signOnce(method, target string, body []byte) http.Header {
	signed, nonce := auth.SVC{App: c.app, Timestamp: strconv.FormatInt(time.Now().Unix(), 10)}, rand.Text()
	signed.Signature = auth.Sign(c.secret, auth.StringToSign(c.app, signed.Timestamp, nonce, method, target, sha256.Sum256(body)))
	return http.Header{"Authorization": {signed.Header("SVC")}, "X-Svc-Nonce": {nonce}}
}

// call sends a request and reads its answer; an answer that is no success is an error.
func (c *caller) call(ctx context.Context, method, target string, body []byte, answer any) error {
	return c.send(ctx, method, target, body, http.Header{"Authorization": {c.sign(method, target, body)}}, answer)
}

// send sends a request that is signed already. The error of an answer that is no
// success is a refused.
func (c *caller) send(ctx context.Context, method, target string, body []byte, head http.Header, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base+target, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	req.Header = head.Clone() // the transport may still read it when a retry is on its way
	req.Header.Set("Content-Type", "application/json")
	res, err := c.client.Do(req)
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	data, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusAccepted {
		return fmt.Errorf("%s: %w", target, &refused{res.StatusCode, res.Header.Get("Retry-After") != "", tail(data)})
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	return nil
}

// taken is the answer to a submission.
type taken struct{ Accepted, Duplicates int }

// body is a batch as it is sent, put together as it is: to encode all of it again
// would take the machine from the gateway that it measures.
func (c *caller) body(b *economyBatch) []byte {
	size := 64 + len(c.app)
	for _, entry := range b.logs {
		size += len(entry) + 1
	}
	body := append(strconv.AppendQuote(append(make([]byte, 0, size), `{"app_id":`...), string(c.app)), `,"logs":[`...)
	for i, entry := range b.logs {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, entry...)
	}
	return append(body, "]}"...)
}

// parcel is a batch as it is sent.
type parcel struct {
	path    string
	body    []byte
	sum     [sha256.Size]byte
	entries int
}

func (c *caller) parcel(b *economyBatch) *parcel {
	body := c.body(b)
	return &parcel{b.path, body, sha256.Sum256(body), len(b.logs)}
}

// logs sends one batch and checks that all of it was taken.
func (c *caller) logs(ctx context.Context, p *parcel) error {
	var answer taken
	if err := c.send(ctx, http.MethodPost, p.path, p.body, http.Header{"Authorization": {c.signSum(http.MethodPost, p.path, p.sum)}}, &answer); err != nil {
		return err
	}
	if answer.Accepted != p.entries || answer.Duplicates != 0 {
		return fmt.Errorf("%s: %d of %d entries accepted, %d duplicates", p.path, answer.Accepted, p.entries, answer.Duplicates)
	}
	return nil
}
