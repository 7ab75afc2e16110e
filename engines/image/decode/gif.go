package decode

import (
	"compress/lzw"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"io"
)

// maxGIFBlocks bounds the walk over a file of nothing but empty extensions.
const maxGIFBlocks = 200_000

// readGIF walks the blocks of a GIF (CompuServe, 1990). One that ends early is shown
// as far as it goes.
func (f *File) readGIF(data []byte) (end int, err error) {
	if len(data) < 13 {
		return 0, damaged("the GIF ends within its header")
	}
	w, h := int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))
	i := 13
	var shared color.Palette
	if data[10]&0x80 != 0 {
		n := 3 << (data[10]&7 + 1)
		if i+n > len(data) {
			return 0, damaged("the GIF ends within its colours")
		}
		shared = palette(data[i : i+n])
		i += n
	}
	walk := gifWalk{shared: shared, most: f.limits.Frames}
	if end, err = walk.blocks(data, i); err != nil {
		return 0, err
	}
	s, boxes := sequence{format: "GIF"}, walk.frames
	if len(boxes) == 0 {
		return 0, damaged("the GIF has no picture")
	}
	if w == 0 || h == 0 { // viewers go by the first frame
		w, h = boxes[0].box.Max.X, boxes[0].box.Max.Y
	}
	if err := f.size(w, h); err != nil {
		return 0, err
	}
	s.width, s.height = w, h
	for k := range boxes {
		fr := &boxes[k]
		if fr.box.Empty() {
			fr.data = nil
		} else if err := f.limits.area("frame "+itoa(k), fr.box.Dx(), fr.box.Dy()); err != nil {
			return 0, err
		}
		s.parts = append(s.parts, part{box: fr.box, lasts: shown(fr.control.delay), dispose: fr.disposal(), over: true, unpack: fr.unpack})
	}
	return end, f.animate(&s, 1)
}

// gifWalk is a walk over the blocks of a GIF.
type gifWalk struct {
	shared color.Palette
	most   int // frames
	next   gifControl
	frames []gifFrame
}

// blocks walks from byte i and says where the GIF ends.
func (g *gifWalk) blocks(data []byte, i int) (end int, err error) {
	for n := 0; i < len(data); n++ {
		if n > maxGIFBlocks {
			return 0, damaged("the GIF has more than %d blocks", maxGIFBlocks)
		}
		rest, more, err := g.block(data, i)
		if err != nil || !more {
			return rest, err
		}
		i = rest
	}
	return len(data), nil
}

// block reads the block at byte i; rest is where the next one is, or where the GIF ends.
func (g *gifWalk) block(data []byte, i int) (rest int, more bool, err error) {
	switch data[i] {
	case ';':
		return i + 1, false, nil
	case '!':
		if i+2 > len(data) {
			return len(data), false, nil
		}
		g.extension(data, i)
		_, rest = subBlocks(data, i+2)
		return rest, true, nil
	case ',':
		fr, rest, ok := gifFrameAt(data, i, g.shared, g.next)
		if !ok {
			return len(data), false, nil
		}
		if len(g.frames) >= g.most {
			return 0, false, tooLarge("the animation has more than %d frames", g.most)
		}
		g.frames, g.next = append(g.frames, fr), gifControl{}
		return rest, true, nil
	}
	if len(g.frames) > 0 { // what viewers make of it is the end
		return i, false, nil
	}
	return 0, false, damaged("the GIF has an unknown block at byte %d", i)
}

// extension notes what a graphic control extension says of the frame behind it.
func (g *gifWalk) extension(data []byte, i int) {
	if data[i+1] != 0xf9 || i+8 > len(data) || data[i+2] < 4 {
		return
	}
	g.next = gifControl{set: true, disposal: data[i+3] >> 2 & 7, delay: int64(binary.LittleEndian.Uint16(data[i+4:])) * 10, clear: -1}
	if data[i+3]&1 != 0 {
		g.next.clear = int(data[i+6])
	}
}

// gifControl is a graphic control extension.
type gifControl struct {
	set      bool
	disposal byte
	delay    int64 // ms
	clear    int   // the colour that is none, -1 for none
}

// gifFrame is an image of a GIF, not yet unpacked.
type gifFrame struct {
	box     image.Rectangle
	colors  color.Palette
	control gifControl
	laced   bool
	width   uint8 // of codes
	data    []byte
}

func (fr *gifFrame) disposal() disposal {
	switch fr.control.disposal {
	case 2:
		return toClear
	case 3:
		return toBefore
	}
	return toKeep
}

// gifFrameAt reads the descriptor of an image and finds its end.
func gifFrameAt(data []byte, i int, shared color.Palette, c gifControl) (fr gifFrame, rest int, ok bool) {
	if i+11 > len(data) {
		return fr, 0, false
	}
	n := func(at int) int { return int(binary.LittleEndian.Uint16(data[i+at:])) }
	x, y, flags := n(1), n(3), data[i+9]
	fr = gifFrame{box: image.Rect(x, y, x+n(5), y+n(7)), colors: shared, control: c, laced: flags&0x40 != 0}
	if !c.set {
		fr.control.clear = -1
	}
	i += 10
	if flags&0x80 != 0 {
		size := 3 << (flags&7 + 1)
		if i+size > len(data) {
			return fr, 0, false
		}
		fr.colors = palette(data[i : i+size])
		i += size
	}
	if i >= len(data) {
		return fr, 0, false
	}
	fr.width = data[i]
	fr.data, rest = subBlocks(data, i+1)
	return fr, rest, true
}

// subBlocks returns the sub-blocks that begin at i, with their lengths, and what comes
// after; of a file that ends early what there is.
func subBlocks(data []byte, i int) (blocks []byte, rest int) {
	from := i
	for i < len(data) {
		n := int(data[i])
		i++
		if n == 0 {
			return data[from:i], i
		}
		i += n
	}
	return data[min(from, len(data)):], len(data)
}

// unpack returns the frame, or as many of its rows as the file has.
func (fr *gifFrame) unpack(ctx context.Context) (image.Image, error) {
	colors := make(color.Palette, 256) // every value of a pixel is one
	for i := range colors {
		colors[i] = color.NRGBA{A: 255}
	}
	if copy(colors, fr.colors) == 0 {
		colors[1] = color.NRGBA{255, 255, 255, 255}
	}
	if fr.control.clear >= 0 {
		colors[fr.control.clear] = color.NRGBA{}
	}
	img := image.NewPaletted(image.Rectangle{Max: fr.box.Size()}, colors)
	if fr.width < 2 || fr.width > 8 || len(fr.data) == 0 {
		return img.SubImage(image.Rectangle{}), nil
	}
	in := lzw.NewReader(&patient{ctx, &unblocked{left: fr.data}}, lzw.LSB, int(fr.width))
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for k := range h {
		row := k
		if fr.laced {
			row = laced(k, h)
		}
		_, err := io.ReadFull(in, img.Pix[row*img.Stride:row*img.Stride+w])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			continue
		}
		if !fr.laced { // it ends early, or is wrong from here on
			return img.SubImage(image.Rect(0, 0, w, k)), in.Close()
		}
		break
	}
	return img, in.Close()
}

// laced is the row of an interlaced image that comes at place k.
func laced(k, h int) int {
	for _, pass := range [...]struct{ from, step int }{{0, 8}, {4, 8}, {2, 4}, {1, 2}} {
		n := (h - pass.from + pass.step - 1) / pass.step
		if k < n {
			return pass.from + k*pass.step
		}
		k -= n
	}
	return h - 1
}

// unblocked reads what sub-blocks hold.
type unblocked struct {
	left  []byte
	block []byte
}

func (u *unblocked) Read(p []byte) (int, error) {
	for len(u.block) == 0 {
		if len(u.left) == 0 || u.left[0] == 0 {
			return 0, io.EOF
		}
		n := min(int(u.left[0]), len(u.left)-1)
		u.block, u.left = u.left[1:1+n], u.left[1+n:]
	}
	n := copy(p, u.block)
	u.block = u.block[n:]
	return n, nil
}

// ReadByte is for the decompressor, which would buffer a reader without it.
func (u *unblocked) ReadByte() (byte, error) {
	var b [1]byte
	_, err := u.Read(b[:])
	return b[0], err
}

func palette(b []byte) color.Palette {
	p := make(color.Palette, len(b)/3)
	for i := range p {
		p[i] = color.NRGBA{b[3*i], b[3*i+1], b[3*i+2], 255}
	}
	return p
}
