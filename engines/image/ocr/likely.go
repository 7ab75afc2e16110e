package ocr

const (
	// likelyWindow is how much of a line, in heights, is looked at on its own where all of it does
	// not look like text, and likelyStep how far the next look is from it.
	likelyWindow, likelyStep = 3.0, 0.5
	// likelyRun is how likely each look, and all that they see together, must be.
	likelyRun = 0.5
)

// readLikely reads the line at, and where it does not look like text and is not read surely
// either only the part of it that does. What is no text at all is not read.
func (r *Reader) readLikely(b *bitmap, at rect, found []rect) (line, error) {
	likely := b.textureOf(at).text()
	part, partly := b.likelyIn(at, likely, found)
	if max(likely, partly) < likelyText {
		return line{}, nil
	}
	whole, err := r.readEitherWay(b, at)
	if err != nil {
		return line{}, err
	}
	whole.likely = max(likely, likelyText)
	if part == at || whole.confidence >= sure && !whole.sparse() {
		return whole, nil
	}
	cut, err := r.readEitherWay(b, part)
	cut.likely = partly
	return cut, err
}

// likelyIn is the part of the line at that looks like text, all of it where that does: what the
// detector takes along, or a line is followed to, over a busy scene may be longer than the line.
// parts are what the detector found, and likely is how much all of it looks like text.
func (b *bitmap) likelyIn(at rect, likely float64, parts []rect) (rect, float64) {
	if likely >= likelyScript {
		return at, likely
	}
	best, most := at, likelyRun
	for _, p := range parts {
		if p.width > 0.95*at.width || !sameLine(p, at) {
			continue
		}
		if l := b.textureOf(p).text(); l > most {
			best, most = p, l
		}
	}
	if most == likelyRun {
		if run := b.likelyStretch(at); run.width > 0 {
			if l := b.textureOf(run).text(); l > most {
				best, most = run, l
			}
		}
	}
	if most == likelyRun {
		return at, likely
	}
	return best, most
}

// likelyStretch is the longest stretch of at of which each window looks like text, of no width
// where there is none.
func (b *bitmap) likelyStretch(at rect) rect {
	looks := int((at.width/at.height-likelyWindow)/likelyStep) + 1
	if looks < 2 {
		return rect{}
	}
	from, count, begun := 0, 0, 0
	for i := range looks + 1 {
		if i < looks && b.textureOf(at.heights(float64(i)*likelyStep, likelyWindow)).text() >= likelyRun {
			continue
		}
		if i-begun > count {
			from, count = begun, i-begun
		}
		begun = i + 1
	}
	if count == 0 || count == looks {
		return rect{}
	}
	return at.heights(float64(from)*likelyStep, float64(count-1)*likelyStep+likelyWindow)
}

// heights is what of r begins some heights from its left end and is some heights long.
func (r rect) heights(from, long float64) rect {
	return r.between(from*r.height/r.width, (from+long)*r.height/r.width)
}
