package evidence

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/png"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
)

const (
	// shownPixels bounds the picture that a moderator is shown, all its frames together.
	shownPixels = 4 << 20
	// shownFrames of an animation are shown beside each other.
	shownFrames = 16
)

// picture makes a PNG of a picture. Of an animation frames spread over its time stand in
// rows.
func (s *Service) picture(ctx context.Context, data []byte) (*Shown, error) {
	lim := decode.Default()
	lim.Bytes, lim.Sampled = int(s.cfg.MaxFile), shownFrames
	f, err := decode.Read(data, "", lim)
	if err != nil {
		return nil, err //nolint:wrapcheck // Shown does
	}
	var frames []*image.RGBA
	err = f.Unpack(ctx, func(fr decode.Frame) error {
		flat, _ := fr.Flat(decode.White, shownPixels/min(f.Frames, shownFrames))
		frames = append(frames, flat)
		return nil
	})
	if len(frames) == 0 && err == nil {
		err = &engines.Refusal{Kind: engines.RefusedDamage, Reason: "it has no frame"}
	}
	if len(frames) == 0 {
		return nil, err //nolint:wrapcheck // Shown does
	}
	var out bytes.Buffer
	if err := png.Encode(&out, sheet(frames)); err != nil {
		return nil, err //nolint:wrapcheck // Shown does
	}
	return &Shown{"image/png", out.Bytes()}, nil
}

// sheet puts frames of one size into rows of four.
func sheet(frames []*image.RGBA) image.Image {
	if len(frames) == 1 {
		return frames[0]
	}
	const gap, row = 4, 4
	size := frames[0].Rect.Size().Add(image.Pt(gap, gap))
	columns, rows := min(row, len(frames)), (len(frames)+row-1)/row
	out := image.NewRGBA(image.Rect(0, 0, columns*size.X-gap, rows*size.Y-gap))
	for i, fr := range frames {
		at := image.Pt(i%row*size.X, i/row*size.Y)
		draw.Draw(out, fr.Rect.Add(at), fr, image.Point{}, draw.Src)
	}
	return out
}
