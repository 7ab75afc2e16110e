package decode

import (
	"bytes"
	"encoding/binary"
)

// behind refuses a file that is a picture and something else at once, which a filter
// that looks at the picture would carry to whoever takes it for the other thing:
// archives, programs and scripts behind the picture's end, and ZIP archives, which are
// read from the file's end, wherever they lie. Other bytes behind the end (padding, the
// clip of a motion photo) are noted alone: viewers ignore them.
func behind(data []byte, end int) error {
	if at := zipEnd(data); at >= 0 {
		return unsupported("the file is a ZIP archive as well (its directory ends at byte %d)", at)
	}
	rest := bytes.TrimLeft(data[end:], "\x00 \t\r\n")
	for _, o := range others {
		switch o.name {
		case "PDF", "a program", "a ZIP archive", "a web page", "SVG":
			if len(rest) > 4 && o.is(rest) {
				return unsupported("behind the picture's end, at byte %d, there is %s", len(data)-len(rest), o.name)
			}
		}
	}
	return nil
}

// zipEnd finds the end record of a ZIP archive (APPNOTE 4.3.16), -1 where there is
// none: its signature, with a directory that lies before it and a comment that ends
// where the file does.
func zipEnd(data []byte) int {
	const size = 22
	for at := len(data) - size; at >= 0 && at >= len(data)-size-0xffff; at-- {
		b := data[at:]
		if string(b[:4]) != "PK\x05\x06" {
			continue
		}
		comment := int(binary.LittleEndian.Uint16(b[20:]))
		directory := int64(binary.LittleEndian.Uint32(b[12:]))
		if size+comment == len(b) && directory <= int64(at) {
			return at
		}
	}
	return -1
}
