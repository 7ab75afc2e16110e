package foreign

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Behind says why a file that ends at end is something else at once, which a filter
// that looks at the one would carry to whoever takes it for the other: archives,
// programs and scripts behind the end, and ZIP archives, which are read from the file's
// end, wherever they lie. It is "" where the file is no such thing: other bytes behind
// the end (padding, tags, the clip of a motion photo) are ignored by who shows it. what
// names the file: "picture".
func Behind(data []byte, end int, what string) string {
	if at := zipEnd(data); at >= 0 {
		return fmt.Sprintf("the file is a ZIP archive as well (its directory ends at byte %d)", at)
	}
	rest := bytes.TrimLeft(data[end:], "\x00 \t\r\n")
	switch name := Name(rest); name {
	case "PDF", "a program", "a ZIP archive", "a web page", "SVG":
		if len(rest) > 4 {
			return fmt.Sprintf("behind the %s's end, at byte %d, there is %s", what, len(data)-len(rest), name)
		}
	}
	return ""
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
