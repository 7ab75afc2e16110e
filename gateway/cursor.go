package gateway

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	pageUsual  = 100
	pageAtMost = 500
)

// part is which part of a list is asked for.
type part struct {
	before economy.Mark
	most   int
}

// readPart reads ?limit=&cursor=.
func readPart(c *call) (part, error) {
	p := part{most: pageUsual}
	var wrong faults
	if q := c.Query("limit"); q != "" {
		n, err := strconv.Atoi(q)
		if err != nil || n < 1 || n > pageAtMost {
			wrong.tell("?limit", "must be 1 to "+strconv.Itoa(pageAtMost))
		}
		p.most = n
	}
	if q := c.Query("cursor"); q != "" {
		at, id, ok := readCursor(q)
		if !ok {
			wrong.tell("?cursor", "must be the cursor of an answer")
		}
		p.before = economy.Mark{At: at, ID: id}
	}
	return p, wrong.err()
}

// cursorOf is a place in a list as clients hand it back, "" for the list's end.
func cursorOf(m economy.Mark) string {
	if m == (economy.Mark{}) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(m.At, 10) + " " + m.ID))
}

func readCursor(q string) (at int64, id string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(q)
	if err != nil || strings.ContainsAny(q, "\r\n") { // which the decoder passes over
		return 0, "", false
	}
	stamp, id, ok := strings.Cut(string(raw), " ")
	at, err = strconv.ParseInt(stamp, 10, 64)
	return at, id, ok && err == nil && utf8.ValidString(id) && !strings.Contains(id, "\x00")
}

// pathID reads an id of the path.
func pathID(c *call, name string) (string, error) {
	id, err := url.PathUnescape(c.Params(name))
	if err != nil || !wire.ValidID(id) {
		return "", wire.Invalid("/"+name, "must be 1 to 128 bytes without control characters")
	}
	return strings.Clone(id), nil
}
