package wire

import (
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// appendCombined appends what the confidences of categories are made of, for operators
// alone; nothing where each is that of one signal.
func appendCombined(dst []byte, list []engines.Combined) []byte {
	if len(list) == 0 {
		return dst
	}
	return List(dst, "combined", len(list), func(dst []byte, i int) []byte {
		c := &list[i]
		dst = probability(probability(Str(dst, "category", string(c.Category)), "confidence", c.Confidence), "own", c.Own)
		return List(dst, "parts", len(c.Parts), func(dst []byte, i int) []byte {
			p := &c.Parts[i]
			dst = Str(Str(dst, "from", p.From), "category", string(p.Category))
			dst = probability(probability(dst, "confidence", p.Confidence), "counts", p.Counts)
			if p.From != engines.PartEarlier {
				return dst
			}
			return When(Str(Str(dst, "request_id", string(p.Request)), "kind", string(p.Kind)), "at", time.UnixMilli(p.At))
		})
	})
}

// appendEarlier appends what was found in a player's content of late and stands.
func appendEarlier(dst []byte, list []engines.Earlier) []byte {
	if len(list) == 0 {
		return dst
	}
	return List(dst, "earlier", len(list), func(dst []byte, i int) []byte {
		e := &list[i]
		dst = Str(Str(Str(dst, "request_id", string(e.Request)), "kind", string(e.Kind)), "category", string(e.Category))
		return When(probability(dst, "confidence", e.Confidence), "at", time.UnixMilli(e.At))
	})
}

// probability appends one with the digits that labels have theirs with.
func probability(dst []byte, name string, p float64) []byte {
	return strconv.AppendFloat(append(append(append(dst, `,"`...), name...), `":`...), p, 'g', 4, 64)
}
