package eval

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/auth"
)

// overHTTP is a gateway, which is sent what a game server would send it: duplicates too.
type overHTTP struct {
	base  string
	keys  appKeys
	strip bool
	logs  map[string][]json.RawMessage // by kind
}

// appKeys is what `keys create --json` prints.
type appKeys struct {
	App    engines.AppID `json:"app_id"`
	Secret string        `json:"secret"`
}

func readKeys(file string) (k appKeys, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return k, err
	}
	if err := json.Unmarshal(text, &k); err != nil {
		return k, fmt.Errorf("%s: %w", file, err)
	}
	if k.App == "" || k.Secret == "" {
		return k, fmt.Errorf("%s: want the app_id and secret that `keys create --json` prints", file)
	}
	return k, nil
}

// Fields that logs and proposals may leave out, by what they are in.
var optional = map[string][]string{
	"currency": {"device_id", "ip", "account_created_at", "counterparty_id", "trade_id", "order_id"},
	"item":     {"device_id", "ip", "account_created_at"},
	"trade":    {"device_id", "ip", "account_created_at"},
	"proposal": {"device_id", "ip", "trade_type", "return_items", "return_currency"},
}

func (h *overHTTP) plain(kind string, text json.RawMessage) (json.RawMessage, error) {
	if !h.strip {
		return text, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	for _, name := range optional[kind] {
		delete(fields, name)
	}
	return json.Marshal(fields)
}

func (h *overHTTP) take(_ context.Context, kind string, text json.RawMessage) error {
	if optional[kind] == nil {
		return fmt.Errorf("no log is called %q", kind)
	}
	entry, err := h.plain(kind, text)
	h.logs[kind] = append(h.logs[kind], bytes.Clone(entry))
	return err
}

func (h *overHTTP) flush(ctx context.Context) (news int, err error) {
	for kind, list := range h.logs {
		for len(list) > 0 {
			n := min(len(list), economyBatch)
			body, err := json.Marshal(map[string]any{"app_id": h.keys.App, "logs": list[:n]})
			if err != nil {
				return news, err
			}
			var answer struct{ Accepted, Duplicates int }
			if _, err := h.call(ctx, http.MethodPost, "/api/v1/economy/"+kind+"-log", body, &answer); err != nil {
				return news, err
			}
			if answer.Accepted+answer.Duplicates != n {
				return news, fmt.Errorf("%s-log: %d accepted and %d duplicates of %d", kind, answer.Accepted, answer.Duplicates, n)
			}
			news += answer.Accepted
			list = list[n:]
		}
		h.logs[kind] = h.logs[kind][:0]
	}
	return news, nil
}

func (h *overHTTP) risk(ctx context.Context, player string) (economy.Risk, error) {
	var answer struct {
		Score   int           `json:"risk_score"`
		Level   economy.Level `json:"risk_level"`
		Factors []struct {
			Factor string
			Score  int
		} `json:"risk_factors"`
	}
	_, err := h.call(ctx, http.MethodGet, "/api/v1/economy/risk-score?player_id="+url.QueryEscape(player), nil, &answer)
	r := economy.Risk{Score: answer.Score, Level: answer.Level}
	for _, f := range answer.Factors {
		r.Factors = append(r.Factors, economy.Factor{Code: f.Factor, Score: f.Score})
	}
	return r, err
}

func (h *overHTTP) evaluate(ctx context.Context, text json.RawMessage) (economy.Evaluation, error) {
	body, err := h.plain("proposal", text)
	if err != nil {
		return economy.Evaluation{}, err
	}
	var answer struct {
		Suggestion engines.Suggestion
		Score      int `json:"risk_score"`
		Reasons    []string
	}
	known, err := h.call(ctx, http.MethodPost, "/api/v1/economy/evaluate-trade", body, &answer)
	if err == nil && !known { // of whom nothing is known, nothing speaks against it
		answer.Suggestion = engines.Pass
	}
	return economy.Evaluation{Suggestion: answer.Suggestion, Score: answer.Score, Reasons: answer.Reasons}, err
}

func (h *overHTTP) ban(ctx context.Context, b *streamBan, _ int64) error {
	body, err := json.Marshal(map[string]any{"player_id": b.Player, "ban_type": b.Type, "duration_hours": b.Hours, "reason": b.Reason})
	if err != nil {
		return err
	}
	_, err = h.call(ctx, http.MethodPost, "/api/v1/economy/ban", body, &struct{}{})
	return err
}

const (
	askedAgain = 200
	askPause   = 50 * time.Millisecond
)

// call asks the gateway, again where it asks for patience; known is false where it knows
// no such player.
func (h *overHTTP) call(ctx context.Context, method, target string, body []byte, answer any) (known bool, err error) {
	for range askedAgain {
		status, text, err := h.once(ctx, method, target, body)
		switch {
		case err != nil:
			return false, err
		case status == http.StatusOK:
			if err := json.Unmarshal(text, answer); err != nil {
				return false, fmt.Errorf("%s %s: %w", method, target, err)
			}
			return true, nil
		case status == http.StatusNotFound && bytes.Contains(text, []byte("3001")):
			return false, nil
		case status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable:
			return false, fmt.Errorf("%s %s: HTTP %d: %.300s", method, target, status, text)
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(askPause):
		}
	}
	return false, fmt.Errorf("%s %s: the gateway is too busy", method, target)
}

func (h *overHTTP) once(ctx context.Context, method, target string, body []byte) (status int, text []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(h.base, "/")+target, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	signed := auth.SVC{App: h.keys.App, Timestamp: strconv.FormatInt(time.Now().UnixMilli(), 10)}
	signed.Signature = auth.Sign(h.keys.Secret, auth.StringToSign(h.keys.App, signed.Timestamp, "", method, target, sha256.Sum256(body)))
	req.Header.Set("Authorization", signed.Header("SVC"))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	text, err = io.ReadAll(res.Body)
	return res.StatusCode, text, errors.Join(err, res.Body.Close())
}
