// Package foreign knows files that are none of those which an engine takes: by their
// first bytes, so that a refusal can say what was sent, and at their end, where files
// are that are two things at once.
package foreign

import (
	"bytes"
	"strings"
)

// other is a kind of file that is known and not taken.
type other struct {
	name string
	is   func(b []byte) bool
}

func starts(with string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(with)) }
}

// riff is true of a RIFF file of a form.
func riff(form string) func([]byte) bool {
	return func(b []byte) bool { return len(b) >= 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == form }
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

// others come in the order in which they are looked for. The engines have looked for
// their own before.
var others = []other{
	{"AVIF", brand("avif", "avis")},
	{"HEIC", brand("heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1")},
	{"AAC in MP4", brand("M4A", "M4B", "M4P", "F4A")},
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
	{"a video", starts("FLV\x01")},
	{"a video", riff("AVI ")},
	{"sound", starts("OggS")},
	{"sound", starts("ID3")},
	{"sound", starts("fLaC")},
	{"sound", riff("WAVE")},
	{"AMR", starts("#!AMR")},
	{"MIDI", starts("MThd")},
	{"MIDI", riff("RMID")},
	{"AIFF", func(b []byte) bool {
		return len(b) >= 12 && string(b[:4]) == "FORM" && (string(b[8:12]) == "AIFF" || string(b[8:12]) == "AIFC")
	}},
	{"AU", starts(".snd")},
	{"Core Audio", starts("caff")},
	{"Windows Media", starts("\x30\x26\xb2\x75\x8e\x66\xcf\x11")},
	{"Monkey's Audio", starts("MAC ")},
	{"WavPack", starts("wvpk")},
	{"True Audio", starts("TTA1")},
	{"DSD", starts("DSD ")},
	{"Creative Voice", starts("Creative Voice File")},
	{"Musepack", starts("MPCK")},
	{"AC-3", starts("\x0b\x77")},
	{"AAC", func(b []byte) bool { return len(b) >= 7 && b[0] == 0xff && b[1]&0xf6 == 0xf0 }}, // ADTS
	{"AAC", starts("ADIF")},
	{"JPEG", starts("\xff\xd8\xff")},
	{"PNG", starts("\x89PNG\r\n\x1a\n")},
	{"GIF", starts("GIF8")},
	{"WebP", riff("WEBP")},
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

// Name says what content is by its first bytes, "" where they say nothing.
func Name(b []byte) string {
	for _, o := range others {
		if o.is(b) {
			return o.name
		}
	}
	return ""
}
