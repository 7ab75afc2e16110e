package hooks

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/internal/store"
)

// answerBytes is how much of an answer is read, so that its connection can be used
// again. None of it is kept.
const answerBytes = 64 << 10

// attempt posts a delivery once and says how that ended.
func (s *Service) attempt(ctx context.Context, h *store.Hook, d store.Delivery) store.Attempt {
	status, asked, err := s.post(ctx, h, &d)
	a := store.Attempt{Delivery: d, At: s.deps.Now(), Status: status}
	switch {
	case err == nil && status/100 == 2:
		a.OK = true
		return a
	case err != nil:
		a.Error = short(err)
	case status/100 == 3:
		a.Error = "a redirect, which is not followed"
	default:
		a.Error = "HTTP " + strconv.Itoa(status)
	}
	if status == http.StatusGone {
		a.Off = "the endpoint answered 410 Gone"
		return a
	}
	if next := a.At.Add(wait(d.Attempts, asked)); next.Sub(d.Since) <= s.cfg.GiveUp {
		a.Next = next
	}
	if !h.Failing.IsZero() && a.At.Sub(h.Failing) >= s.cfg.OffAfter {
		a.Off = "every attempt failed since " + h.Failing.UTC().Format(time.RFC3339)
	}
	return a
}

// post returns the status of the answer and how long its Retry-After asks to wait.
func (s *Service) post(ctx context.Context, h *store.Hook, d *store.Delivery) (status int, asked time.Duration, err error) {
	if why := s.cfg.Fault(h.URL); why != "" { // the configuration has changed since
		return 0, 0, errors.New("the URL " + why)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(d.Payload))
	if err != nil {
		return 0, 0, err
	}
	now := s.deps.Now()
	req.Header.Set("Content-Type", "application/cloudevents+json; charset=utf-8")
	req.Header.Set("User-Agent", "portcullis-webhooks")
	req.Header.Set("Webhook-Id", d.Event)
	req.Header.Set("Webhook-Timestamp", strconv.FormatInt(now.Unix(), 10))
	req.Header.Set("Webhook-Signature", signatures(h.Secrets, d.Event, now, d.Payload))
	res, err := s.client.Do(req)
	if err != nil {
		return 0, 0, err
	}
	_, _ = io.CopyN(io.Discard, res.Body, answerBytes) // what it says does not matter
	_ = res.Body.Close()
	return res.StatusCode, retryAfter(res.Header.Get("Retry-After"), now), nil
}

// retryAfter is how long a Retry-After asks to wait: seconds or a date (RFC 9110 section
// 10.2.3), a day at most; 0 where it says neither.
func retryAfter(head string, now time.Time) time.Duration {
	asked := time.Duration(0)
	if seconds, err := strconv.Atoi(head); err == nil {
		asked = time.Duration(min(max(seconds, 0), 86400)) * time.Second
	} else if at, err := http.ParseTime(head); err == nil {
		asked = at.Sub(now)
	}
	return min(max(asked, 0), 24*time.Hour)
}

// short names what kept a request from its answer, without the address.
func short(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, errRefused):
		return errRefused.Error()
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.Is(err, context.Canceled):
		return "the gateway was going down"
	case errors.As(err, &dns):
		return "the name was not found"
	case errors.As(err, &op) && op.Op == "dial":
		return "no connection"
	}
	var broken interface{ Unwrap() error } // *url.Error names the URL
	if errors.As(err, &broken) {
		err = broken.Unwrap()
	}
	const most = 200
	text := err.Error()
	return text[:min(len(text), most)]
}
