package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"strconv"

	"golang.org/x/image/bmp"
)

// readBMP reads the header of a bitmap (BITMAPFILEHEADER and BITMAPINFOHEADER or a
// later one). Its pixels must be there: of all formats this alone says how many bytes
// they take.
func (f *File) readBMP(data []byte) (end int, err error) {
	const head = 14 + 40
	if len(data) < head {
		return 0, damaged("the BMP ends within its header")
	}
	info := binary.LittleEndian.Uint32(data[14:])
	if info < 40 || info > 1024 {
		return 0, unsupported("this kind of BMP (a header of %d bytes) is not", info)
	}
	w, h := int(int32(binary.LittleEndian.Uint32(data[18:]))), int(int32(binary.LittleEndian.Uint32(data[22:])))
	if h == -1<<31 {
		return 0, damaged("the BMP's height is not one")
	}
	if h < 0 { // rows from the top
		h = -h
	}
	if err := f.size(w, h); err != nil {
		return 0, err
	}
	bits, packed := int64(binary.LittleEndian.Uint16(data[28:])), binary.LittleEndian.Uint32(data[30:])
	switch bits {
	case 1, 2, 4, 8, 24, 32:
	default:
		return 0, unsupported("a BMP of %d bits a pixel is not", bits)
	}
	if packed != 0 && (packed != 3 || bits != 32) {
		return 0, unsupported("a BMP that is compressed (%d) is not", packed)
	}
	from := int64(binary.LittleEndian.Uint32(data[10:]))
	row := (int64(w)*bits + 31) / 32 * 4
	last := from + row*int64(h)
	if from < head || last > int64(len(data)) {
		return 0, damaged("the BMP's pixels take %d bytes, and the file has %d", last, len(data))
	}
	if _, err := bmp.DecodeConfig(bytes.NewReader(data)); err != nil {
		return 0, unsupported("this kind of BMP is not")
	}
	f.Memory = int64(w)*int64(h)*4 + working
	f.unpack = func(ctx context.Context, show func(Frame) error) error {
		img, err := bmp.Decode(&patient{ctx, bytes.NewReader(data)})
		if err != nil {
			return broken(ctx, "BMP", err)
		}
		return show(Frame{img: img})
	}
	return int(last), nil
}

func itoa(n int) string { return strconv.Itoa(n) }
