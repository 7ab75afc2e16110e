package pictures

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/image/font/sfnt"
)

// Lang is a language that lines are drawn in.
type Lang string

// The languages.
const (
	English    Lang = "en"
	Chinese    Lang = "zh"
	Japanese   Lang = "ja"
	Korean     Lang = "ko"
	Thai       Lang = "th"
	Vietnamese Lang = "vi"
)

// Langs lists them.
var Langs = []Lang{English, Chinese, Japanese, Korean, Thai, Vietnamese}

// fontFile is a font as Debian installs it; index counts within a collection.
type fontFile struct {
	path    string
	index   int
	debian  string
	holders []Lang
}

const fontRoot = "/usr/share/fonts"

// fontFiles is fixed, not what is found, so that a seed gives the same picture on every
// machine. Indices of Noto's collections: JP 0, KR 1, SC 2.
var fontFiles = []fontFile{
	{"truetype/dejavu/DejaVuSans.ttf", 0, "fonts-dejavu-core", []Lang{English, Vietnamese}},
	{"truetype/dejavu/DejaVuSans-Bold.ttf", 0, "fonts-dejavu-core", []Lang{English, Vietnamese}},
	{"truetype/dejavu/DejaVuSerif-Bold.ttf", 0, "fonts-dejavu-core", []Lang{English, Vietnamese}},
	{"truetype/liberation/LiberationSans-Regular.ttf", 0, "fonts-liberation", []Lang{English}},
	{"truetype/liberation/LiberationSans-Bold.ttf", 0, "fonts-liberation", []Lang{English}},
	{"truetype/liberation/LiberationSerif-Bold.ttf", 0, "fonts-liberation", []Lang{English}},
	{"opentype/noto/NotoSansCJK-Regular.ttc", 2, "fonts-noto-cjk", []Lang{English, Chinese}},
	{"opentype/noto/NotoSansCJK-Bold.ttc", 2, "fonts-noto-cjk", []Lang{English, Chinese}},
	{"opentype/noto/NotoSerifCJK-Bold.ttc", 2, "fonts-noto-cjk", []Lang{Chinese}},
	{"opentype/noto/NotoSerifCJK-Regular.ttc", 2, "fonts-noto-cjk", []Lang{Chinese}},
	{"opentype/noto/NotoSansCJK-Regular.ttc", 0, "fonts-noto-cjk", []Lang{Japanese}},
	{"opentype/noto/NotoSansCJK-Bold.ttc", 0, "fonts-noto-cjk", []Lang{Japanese}},
	{"opentype/noto/NotoSerifCJK-Bold.ttc", 0, "fonts-noto-cjk", []Lang{Japanese}},
	{"truetype/vlgothic/VL-Gothic-Regular.ttf", 0, "fonts-vlgothic", []Lang{Japanese}},
	{"opentype/noto/NotoSansCJK-Regular.ttc", 1, "fonts-noto-cjk", []Lang{Korean}},
	{"opentype/noto/NotoSansCJK-Bold.ttc", 1, "fonts-noto-cjk", []Lang{Korean}},
	{"opentype/noto/NotoSerifCJK-Bold.ttc", 1, "fonts-noto-cjk", []Lang{Korean}},
	{"truetype/nanum/NanumGothic.ttf", 0, "fonts-nanum", []Lang{Korean}},
	{"truetype/tlwg/Loma-Bold.ttf", 0, "fonts-thai-tlwg", []Lang{Thai}},
	{"truetype/tlwg/Garuda.ttf", 0, "fonts-thai-tlwg", []Lang{Thai}},
	{"truetype/tlwg/Waree.ttf", 0, "fonts-thai-tlwg", []Lang{Thai}},
}

// fontsOf parses the fonts once a process; they are safe for several at a time, each
// with a buffer of its own.
var fontsOf = sync.OnceValues(func() (map[Lang][]*sfnt.Font, error) {
	fonts := map[Lang][]*sfnt.Font{}
	collections := map[string]*sfnt.Collection{}
	for _, file := range fontFiles {
		all := collections[file.path]
		if all == nil {
			data, err := os.ReadFile(filepath.Join(fontRoot, file.path))
			if err != nil {
				return nil, fmt.Errorf("draw text: font of the Debian package %s: %w", file.debian, err)
			}
			if all, err = sfnt.ParseCollection(data); err != nil {
				return nil, fmt.Errorf("draw text: %s: %w", file.path, err)
			}
			collections[file.path] = all
		}
		font, err := all.Font(file.index)
		if err != nil {
			return nil, fmt.Errorf("draw text: %s: %w", file.path, err)
		}
		for _, lang := range file.holders {
			fonts[lang] = append(fonts[lang], font)
		}
	}
	return fonts, nil
})

// filed are the fonts of files that fontsAt parsed, by their names.
var filed sync.Map

// fontsAt are the first fonts of some files, parsed once a process.
func fontsAt(names []string) ([]*sfnt.Font, error) {
	fonts := make([]*sfnt.Font, len(names))
	for i, name := range names {
		if f, ok := filed.Load(name); ok {
			fonts[i], _ = f.(*sfnt.Font)
			continue
		}
		data, err := os.ReadFile(name) //nolint:gosec // named by whoever draws
		if err != nil {
			return nil, fmt.Errorf("draw text: %w", err)
		}
		if fonts[i], err = sfnt.Parse(data); err != nil {
			return nil, fmt.Errorf("draw text: %s: %w", name, err)
		}
		filed.Store(name, fonts[i])
	}
	return fonts, nil
}
