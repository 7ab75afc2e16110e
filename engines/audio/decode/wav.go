package decode

import (
	"encoding/binary"
)

// Encodings of WAV samples (RFC 2361; "Multiple channel audio data and WAVE files",
// Microsoft 2001, for extensible).
const (
	wavPCM        = 0x0001
	wavFloat      = 0x0003
	wavALaw       = 0x0006
	wavMuLaw      = 0x0007
	wavExtensible = 0xfffe
)

// wavNames are encodings that are known and not taken.
var wavNames = map[uint16]string{0x0002: "Microsoft ADPCM", 0x0011: "IMA ADPCM", 0x0031: "GSM 6.10", 0x0055: "MP3", 0x00ff: "AAC", 0x0161: "Windows Media", 0x2000: "AC-3"}

// wavGUID is behind the encoding in an extensible header's sub-format.
const wavGUID = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"

// wavForm is what a fmt chunk says.
type wavForm struct {
	encoding uint16
	channels int
	rate     int
	width    int // bytes of one sample
}

// readWAV walks the chunks (RIFF; RF64 as EBU Tech 3306 has it) to fmt and data. Sizes
// that lie are bounded by the file: recorders that were cut off leave 0 or all ones.
func (f *File) readWAV(data []byte) (end int, err error) {
	var form wavForm
	var long uint64 // the size of data as RF64 says it
	for at := 12; at+8 <= len(data); {
		id, size := string(data[at:at+4]), uint64(binary.LittleEndian.Uint32(data[at+4:]))
		body := data[at+8:]
		if id == "data" {
			if form.width == 0 {
				return 0, damaged("there is no fmt chunk before the data at byte %d", at)
			}
			if size == 0xffffffff && long > 0 {
				size = long
			}
			if size == 0 {
				size = uint64(len(body))
			}
			body = body[:min(size, uint64(len(body)))]
			return f.layWAV(&form, data, at+8, body)
		}
		known := body[:min(size, uint64(len(body)))]
		switch id {
		case "fmt ":
			if form.width != 0 {
				return 0, damaged("there is a second fmt chunk at byte %d", at)
			}
			if form, err = f.formWAV(known); err != nil {
				return 0, err
			}
		case "ds64":
			if len(known) >= 16 {
				long = binary.LittleEndian.Uint64(known[8:])
			}
		}
		if size >= uint64(len(body)) {
			break
		}
		at += 8 + int(size)
		if size%2 == 1 && !chunkAt(data, at) {
			at++ // the pad, which some writers forget
		}
	}
	return 0, damaged("there is no data chunk")
}

// chunkAt reports whether one of the chunks that count stands there.
func chunkAt(data []byte, at int) bool {
	if at+8 > len(data) {
		return false
	}
	id := string(data[at : at+4])
	return id == "fmt " || id == "data"
}

func (f *File) formWAV(b []byte) (wavForm, error) {
	if len(b) < 16 {
		return wavForm{}, damaged("the fmt chunk has %d bytes; it needs 16", len(b))
	}
	le := binary.LittleEndian
	form := wavForm{encoding: le.Uint16(b), channels: int(le.Uint16(b[2:])), rate: int(le.Uint32(b[4:]))}
	bits := int(le.Uint16(b[14:]))
	if form.encoding == wavExtensible {
		if len(b) < 40 || string(b[26:40]) != wavGUID {
			return form, unsupported("the WAV header is extensible, in a sub-format that is not known; %s", Supported)
		}
		form.encoding = le.Uint16(b[24:])
	}
	if err := f.limits.shape(form.channels, form.rate); err != nil {
		return form, err
	}
	form.width = (bits + 7) / 8
	ok := false
	switch form.encoding {
	case wavPCM:
		ok = form.width >= 1 && form.width <= 4
	case wavFloat:
		ok = bits == 32 || bits == 64
	case wavALaw, wavMuLaw:
		ok = bits == 8
	default:
		name := wavNames[form.encoding]
		if name == "" {
			name = "no encoding that we know"
		}
		return form, unsupported("the WAV data is %s (format 0x%04x); PCM, float, A-law and µ-law are taken", name, form.encoding)
	}
	if !ok {
		return form, damaged("the WAV header says samples of %d bits in format 0x%04x", bits, form.encoding)
	}
	if align := int(le.Uint16(b[12:])); align != 0 && align != form.width*form.channels {
		return form, damaged("the WAV header says %d bytes for %d samples of %d bits", align, form.channels, bits)
	}
	return form, nil
}

// layWAV notes where the samples lie.
func (f *File) layWAV(form *wavForm, data []byte, at int, body []byte) (end int, err error) {
	row := form.width * form.channels
	body = body[:len(body)/row*row]
	if len(body) == 0 {
		return 0, damaged("there are no samples in the data chunk")
	}
	f.SampleRate, f.Channels = form.rate, form.channels
	f.frames = int64(len(body) / row)
	f.unpack = func(s *sink) error { return form.unpack(s, body) }
	end = at + len(body)
	for rest := data[end:]; len(rest) >= 8; rest = data[end:] { // LIST, bext, … behind it
		size := uint64(binary.LittleEndian.Uint32(rest[4:]))
		if !printable(rest[:4]) || size > uint64(len(rest)-8) {
			break
		}
		end += 8 + min(int(size+size%2), len(rest)-8)
	}
	return end, nil
}

// printable is true of what can name a chunk.
func printable(id []byte) bool {
	for _, c := range id {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return string(id[:2]) != "PK"
}

// unpack gives the samples by blocks.
func (form *wavForm) unpack(s *sink, body []byte) error {
	row := form.width * form.channels
	block := make([]float32, 0, max(1, 4096/form.channels)*form.channels)
	some := cap(block) / form.channels * row
	for len(body) > 0 {
		part := body[:min(some, len(body))]
		body = body[len(part):]
		if err := s.push(form.samples(block[:0], part)); err != nil {
			return err
		}
	}
	return nil
}
