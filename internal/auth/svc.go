package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

const svcAlgorithm = "SVC1-HMAC-SHA256"

// SVC is what an SVC header says, before anything of it is proven.
type SVC struct {
	App engines.AppID
	// Signature is 64 lower-case hex digits: a request has one spelling, so it
	// can serve as the key of replays.
	Signature string
	// Timestamp is as sent: 10 digits of seconds or 13 of milliseconds.
	Timestamp string
}

var errGrammar = errors.New("want SCHEME app:signature:timestamp")

// ParseSVC reads "SCHEME {AppId}:{Signature}:{Timestamp}" to the letter: one
// space, no other spelling of anything. Whatever else is an *Error with
// CauseGrammar, found without any cryptography.
func ParseSVC(header, scheme string) (SVC, error) {
	rest, ok := strings.CutPrefix(header, scheme+" ")
	if !ok {
		return SVC{}, &Error{Cause: CauseGrammar, Err: errGrammar}
	}
	app, rest, _ := strings.Cut(rest, ":")
	signature, timestamp, _ := strings.Cut(rest, ":")
	svc := SVC{App: engines.AppID(app), Signature: signature, Timestamp: timestamp}
	if !ValidApp(svc.App) ||
		len(signature) != hex.EncodedLen(sha256.Size) || !all(signature, lowerHex) ||
		len(timestamp) != 10 && len(timestamp) != 13 || !all(timestamp, digit) {
		return SVC{}, &Error{Cause: CauseGrammar, Err: errGrammar}
	}
	return svc, nil
}

// Header returns the value of the Authorization header.
func (s SVC) Header(scheme string) string {
	return scheme + " " + string(s.App) + ":" + s.Signature + ":" + s.Timestamp
}

// Time returns when the caller says it signed. It is the zero time for an SVC
// that ParseSVC did not make.
func (s SVC) Time() time.Time {
	n, err := strconv.ParseInt(s.Timestamp, 10, 64)
	switch {
	case err != nil:
		return time.Time{}
	case len(s.Timestamp) == 13:
		return time.UnixMilli(n)
	}
	return time.Unix(n, 0)
}

// StringToSign joins what is signed. Every value is exactly as sent: target is
// the raw request target, never decoded, and bodySHA256 is of the bytes on the
// wire. Nonce is "" when the header is absent.
func StringToSign(app engines.AppID, timestamp, nonce, method, target string, bodySHA256 [32]byte) string {
	return strings.Join([]string{
		svcAlgorithm, string(app), timestamp, nonce, method, target, hex.EncodeToString(bodySHA256[:]),
	}, "\n")
}

// Sign returns the signature over a StringToSign. The key is the whole secret
// as printed, "psk_" included.
func Sign(secret, stringToSign string) string {
	mac := hmacSum(secret, stringToSign)
	return hex.EncodeToString(mac[:])
}

func hmacSum(secret, s string) (sum [sha256.Size]byte) {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(s))
	h.Sum(sum[:0])
	return sum
}
