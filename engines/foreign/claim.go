package foreign

import (
	"fmt"
	"mime"
	"strings"
)

// Claims are the media types that say that content is of a format.
type Claims map[string]string

// Disagree says why content of a format, that is called what, is not what its sender
// said it is; "" where it is, or where the type says nothing (none, octet-stream, */*).
// kind is the first half of the types that are ours ("image"), noun what that is to the
// sender ("picture").
func (c Claims) Disagree(claim, format, what, kind, noun string) string {
	media, _, err := mime.ParseMediaType(claim)
	if err != nil {
		media = strings.ToLower(strings.TrimSpace(claim))
	}
	switch media {
	case "", "application/octet-stream", "binary/octet-stream", kind + "/*", "*/*":
		return ""
	}
	said, ours := c[media]
	switch {
	case ours && said == format:
		return ""
	case !ours && !strings.HasPrefix(media, kind+"/"):
		return fmt.Sprintf("it was said to be %q, and is %s; a %s's type is %s/…", short(media), what, noun, kind)
	}
	return fmt.Sprintf("it was said to be %q, and is %s", short(media), what)
}

// short keeps a caller's own words within an answer.
func short(s string) string {
	if len(s) > 64 {
		return strings.ToValidUTF8(s[:64], "") + "…"
	}
	return s
}
