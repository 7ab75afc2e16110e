package decode

import (
	"bytes"

	"github.com/portcullis-gg/portcullis/engines/foreign"
)

// Formats of pictures, as facts name them.
const (
	JPEG = "jpeg"
	PNG  = "png"
	GIF  = "gif"
	WebP = "webp"
	BMP  = "bmp"
)

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
	return "", foreign.Name(b)
}

// claims are the media types that say that content is of one of our formats.
var claims = foreign.Claims{
	"image/jpeg": JPEG, "image/jpg": JPEG, "image/pjpeg": JPEG,
	"image/png": PNG, "image/apng": PNG, "image/x-png": PNG, "image/vnd.mozilla.apng": PNG,
	"image/gif": GIF, "image/webp": WebP,
	"image/bmp": BMP, "image/x-bmp": BMP, "image/x-ms-bmp": BMP,
}

// agree refuses content that is not what the caller said it is.
func agree(claim, format, what string) error {
	if why := claims.Disagree(claim, format, what, "image", "picture"); why != "" {
		return unsupported("%s", why)
	}
	return nil
}

// behind refuses a file that is a picture and something else at once.
func behind(data []byte, end int) error {
	if why := foreign.Behind(data, end, "picture"); why != "" {
		return unsupported("%s", why)
	}
	return nil
}
