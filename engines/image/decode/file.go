package decode

import (
	"context"
	"image"
)

// File is a picture whose headers were read and are within the limits.
type File struct {
	Format string
	// Width and Height are as shown, Frames counts all, 1 for a still.
	Width, Height int
	Frames        int
	DurationMS    int64
	// Memory is about how many bytes Frames takes.
	Memory int64
	// Trailing is how many bytes lie behind the picture's end.
	Trailing int

	limits Limits
	turn   orientation
	unpack func(ctx context.Context, show func(Frame) error) error
}

// Frame is one frame as it is shown, good until the next one.
type Frame struct {
	Index       int
	AtMS, EndMS int64

	img  image.Image
	turn orientation
}

// Upright is the frame at its full size, transparent where it is.
func (fr *Frame) Upright() image.Image { return fr.turn.apply(fr.img) }

// Opaque reports whether the frame can be seen through nowhere.
func (fr *Frame) Opaque() bool { return opaque(fr.img) }

// Read looks at the headers of a file. claim is the media type that it was said to
// have, "" for none. It keeps data, which must not change. Errors are engines.Refusal.
func Read(data []byte, claim string, lim Limits) (*File, error) {
	if len(data) == 0 {
		return nil, damaged("the file is empty")
	}
	if len(data) > lim.Bytes {
		return nil, tooLarge("the file has %d bytes; at most %d are taken", len(data), lim.Bytes)
	}
	format, what := sniff(data)
	if format == "" {
		if what == "" {
			what = "no format that we know"
		}
		return nil, unsupported("the content is %s; %s", what, Supported)
	}
	if err := agree(claim, format, what); err != nil {
		return nil, err
	}
	f := &File{Format: format, Frames: 1, turn: upright, limits: lim}
	end, err := f.read(data)
	if err != nil {
		return nil, err
	}
	if f.turn.swaps() {
		f.Width, f.Height = f.Height, f.Width
	}
	if err := lim.memory(f.Memory); err != nil {
		return nil, err
	}
	f.Trailing = len(data) - end
	return f, behind(data, end)
}

// read has the format's own reader find out what there is, and where it ends.
func (f *File) read(data []byte) (end int, err error) {
	switch f.Format {
	case JPEG:
		return f.readJPEG(data)
	case PNG:
		return f.readPNG(data)
	case GIF:
		return f.readGIF(data)
	case WebP:
		return f.readWebP(data)
	}
	return f.readBMP(data)
}

// size notes the size of the picture and refuses one that is too large.
func (f *File) size(width, height int) error {
	f.Width, f.Height = width, height
	return f.limits.area("the picture", width, height)
}

// same refuses a file of whose size the library that unpacks it thinks otherwise than
// we, who have measured it against the limits.
func (f *File) same(c image.Config, err error) error {
	switch {
	case err != nil:
		return damaged("the header can't be read")
	case c.Width != f.Width || c.Height != f.Height:
		return damaged("the header says two sizes")
	}
	return nil
}

// Unpack shows the frames, at most limits.Sampled of them spread over the time that
// the animation takes. It ends early with the error of show, or of ctx; other errors
// are engines.Refusal.
func (f *File) Unpack(ctx context.Context, show func(Frame) error) error {
	return f.unpack(ctx, func(fr Frame) error {
		fr.turn = f.turn
		return show(fr)
	})
}
