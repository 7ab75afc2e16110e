package decode

import (
	"bytes"

	"github.com/portcullis-gg/portcullis/engines/foreign"
)

// Formats of sounds, as facts name them.
const (
	WAV     = "wav"
	MP3     = "mp3"
	FLAC    = "flac"
	OggOpus = "ogg_opus"
)

// sniff names the format of the content by its first bytes, "" for one that is none of
// ours; what has the name.
func sniff(b []byte) (format, what string) {
	behind := skipID3(b)
	switch {
	case len(b) >= 12 && (string(b[:4]) == "RIFF" || string(b[:4]) == "RF64" || string(b[:4]) == "BW64") && string(b[8:12]) == "WAVE":
		return WAV, "WAV"
	case bytes.HasPrefix(b[behind:], []byte("fLaC")):
		return FLAC, "FLAC"
	case bytes.HasPrefix(b, []byte("OggS")):
		return OggOpus, "Ogg"
	case bytes.HasPrefix(b, []byte("RIFX")) || len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) != "WAVE" && foreign.Name(b) == "":
		return "", "RIFF that is no WAV"
	case looksMPEG(b[behind:]):
		return MP3, "MP3"
	case behind > 0:
		return MP3, "MP3" // its reader says why it is none
	}
	return "", foreign.Name(b)
}

// looksMPEG is true of the first header of a frame of MPEG audio.
func looksMPEG(b []byte) bool {
	if len(b) < 2 || b[0] != 0xff || b[1]&0xe0 != 0xe0 {
		return false
	}
	return b[1]&0x06 != 0 && b[1]&0x18 != 0x08 // AAC has no layer
}

// skipID3 is where what stands behind ID3v2 tags begins (id3.org, ID3v2.4 §3.1): by
// their own sizes, never by looking for what might be behind, and never past the end.
func skipID3(b []byte) int {
	at := 0
	for len(b)-at >= 10 && string(b[at:at+3]) == "ID3" && b[at+3] != 0xff && b[at+4] != 0xff {
		h := b[at : at+10]
		if (h[6]|h[7]|h[8]|h[9])&0x80 != 0 {
			return at
		}
		size := 10 + (int(h[6])<<21 | int(h[7])<<14 | int(h[8])<<7 | int(h[9]))
		if h[5]&0x10 != 0 { // a footer
			size += 10
		}
		at = min(at+size, len(b))
	}
	return at
}

// claims are the media types that say that content is of one of our formats.
var claims = foreign.Claims{
	"audio/wav": WAV, "audio/x-wav": WAV, "audio/wave": WAV, "audio/vnd.wave": WAV, "audio/x-pn-wav": WAV,
	"audio/mpeg": MP3, "audio/mp3": MP3, "audio/x-mp3": MP3, "audio/mpeg3": MP3, "audio/x-mpeg": MP3, "audio/mpa": MP3,
	"audio/flac": FLAC, "audio/x-flac": FLAC,
	"audio/ogg": OggOpus, "audio/opus": OggOpus, "audio/x-opus": OggOpus, "application/ogg": OggOpus,
}

// agree refuses content that is not what the caller said it is.
func agree(claim, format, what string) error {
	if why := claims.Disagree(claim, format, what, "audio", "sound"); why != "" {
		return unsupported("%s", why)
	}
	return nil
}
