package decode

import (
	"bytes"
	"mime"
	"strings"
)

// Formats of pictures, as facts name them.
const (
	JPEG = "jpeg"
	PNG  = "png"
	GIF  = "gif"
	WebP = "webp"
	BMP  = "bmp"
)

// other is a kind of file that is known and not taken.
type other struct {
	name string
	is   func(b []byte) bool
}

func starts(with string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(with)) }
}

// brand is true of an ISO base media file of one of the brands (ISO/IEC 14496-12).
func brand(names ...string) func([]byte) bool {
	return func(b []byte) bool {
		if len(b) < 12 || string(b[4:8]) != "ftyp" {
			return false
		}
		for _, n := range names {
			if strings.HasPrefix(string(b[8:12]), n) {
				return true
			}
		}
		return false
	}
}

var others = []other{
	{"AVIF", brand("avif", "avis")},
	{"HEIC", brand("heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1")},
	{"a video", brand("")},
	{"SVG", isSVG},
	{"JPEG XL", starts("\xff\x0a")},
	{"JPEG XL", starts("\x00\x00\x00\x0cJXL ")},
	{"JPEG 2000", starts("\x00\x00\x00\x0cjP  ")},
	{"JPEG 2000", starts("\xff\x4f\xff\x51")},
	{"TIFF", starts("II*\x00")},
	{"TIFF", starts("MM\x00*")},
	{"an icon", starts("\x00\x00\x01\x00")},
	{"a cursor", starts("\x00\x00\x02\x00")},
	{"Photoshop", starts("8BPS")},
	{"DirectDraw Surface", starts("DDS ")},
	{"QOI", starts("qoif")},
	{"PDF", starts("%PDF-")},
	{"a ZIP archive", starts("PK\x03\x04")},
	{"a program", starts("\x7fELF")},
	{"a program", starts("MZ")},
	{"a video", starts("\x1aE\xdf\xa3")},
	{"sound", starts("OggS")},
	{"sound", starts("ID3")},
	{"a web page", isMarkup},
}

func isSVG(b []byte) bool {
	head := bytes.ToLower(b[:min(len(b), 4096)])
	return isMarkup(b) && bytes.Contains(head, []byte("<svg"))
}

func isMarkup(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\ufeff")), " \t\r\n")
	return len(b) > 1 && b[0] == '<' && (b[1] == '!' || b[1] == '?' || b[1] == '/' || b[1]|0x20 >= 'a' && b[1]|0x20 <= 'z')
}

// sniff names the format of the content by its first bytes, "" for one that is none
// of ours; of those that are known what has the name.
func sniff(b []byte) (format, what string) {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xd8\xff")):
		return JPEG, "JPEG"
	case bytes.HasPrefix(b, []byte(pngMagic)):
		return PNG, "PNG"
	case bytes.HasPrefix(b, []byte("GIF87a")), bytes.HasPrefix(b, []byte("GIF89a")):
		return GIF, "GIF"
	case len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return WebP, "WebP"
	case len(b) >= 14 && string(b[:2]) == "BM":
		return BMP, "BMP"
	}
	for _, o := range others {
		if o.is(b) {
			return "", o.name
		}
	}
	return "", ""
}

// claims are the media types that say that content is of one of our formats.
var claims = map[string]string{
	"image/jpeg": JPEG, "image/jpg": JPEG, "image/pjpeg": JPEG,
	"image/png": PNG, "image/apng": PNG, "image/x-png": PNG, "image/vnd.mozilla.apng": PNG,
	"image/gif": GIF, "image/webp": WebP,
	"image/bmp": BMP, "image/x-bmp": BMP, "image/x-ms-bmp": BMP,
}

// agree refuses content that is not what the caller said it is. A type that says
// nothing (none, octet-stream, image/*) claims nothing.
func agree(claim, format, what string) error {
	media, _, err := mime.ParseMediaType(claim)
	if err != nil {
		media = strings.ToLower(strings.TrimSpace(claim))
	}
	switch media {
	case "", "application/octet-stream", "binary/octet-stream", "image/*", "*/*":
		return nil
	}
	said, ours := claims[media]
	switch {
	case ours && said == format:
		return nil
	case !ours && !strings.HasPrefix(media, "image/"):
		return unsupported("it was said to be %q, and is %s; a picture's type is image/…", short(media), what)
	}
	return unsupported("it was said to be %q, and is %s", short(media), what)
}

// short keeps a caller's own words within an answer.
func short(s string) string {
	if len(s) > 64 {
		return strings.ToValidUTF8(s[:64], "") + "…"
	}
	return s
}
