package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/audio"
)

// toldPrefix begins a text chunk of a PNG that says what the engine finds in it: the
// tests of the ways of a picture need no models. See toldEngine.
const toldPrefix = "Finding\x00"

// toldEngine finds in a picture, beside what the engine given finds, what its text
// chunks say: "reads TEXT", "code TEXT", "shows CATEGORY CONFIDENCE", "known CATEGORY",
// "late", and "holds FILE": the first to see it writes its process's id there and never
// ends. In a sound, "says TEXT" and "mumbles TEXT", which is doubted; with a chunk the
// lack of a model that hears is no fault. The engine itself has decoded the file by then.
type toldEngine struct{ engines.Engine }

func (e toldEngine) Inspect(ctx context.Context, item *engines.Item, out []engines.Signal) ([]engines.Signal, error) {
	out, err := e.Engine.Inspect(ctx, item, out)
	if errors.Is(err, audio.ErrNoRecogniser) && bytes.Contains(item.Media.Bytes, []byte(toldPrefix)) {
		err = nil
	}
	if err != nil {
		return out, err
	}
	facts, heard := *item.Media.Facts(), map[string]bool{}
	for rest := item.Media.Bytes; ; {
		_, after, ok := bytes.Cut(rest, []byte("tEXt"+toldPrefix))
		if !ok {
			break
		}
		said, more, _ := bytes.Cut(after, []byte("\n"))
		rest = more
		what, detail, _ := strings.Cut(string(said), " ")
		place := engines.Place{Box: [4]int{8, 8, 16, 4}}
		switch what {
		case "late":
			return out, context.DeadlineExceeded
		case "holds":
			f, err := os.OpenFile(detail, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err == nil {
				_, err = fmt.Fprintln(f, os.Getpid())
				if err := errors.Join(err, f.Close()); err != nil {
					return out, err
				}
				<-ctx.Done()
				return out, ctx.Err()
			}
		case "says", "mumbles":
			if heard[detail] { // it stands in several packets of a call
				continue
			}
			heard[detail] = true
			at := int64(500)
			if s := item.Media.Sound; s != nil {
				at += s.OffsetMS
			}
			saidIn(&facts, detail, at, what == "mumbles")
		case "reads":
			facts.Text = append(facts.Text, engines.TextLine{Text: detail, Confidence: 0.95, Place: place})
		case "code":
			facts.Codes = append(facts.Codes, engines.Code{Kind: "qr", Content: detail, Place: place})
		case "shows", "known":
			s := engines.Signal{Severity: 3, Confidence: 1, Source: engines.SourceModel, Place: &place, Rule: "told"}
			if what == "known" {
				s.Source = engines.SourceHash
			}
			if _, err := fmt.Sscan(detail+" 0.99", &s.Category, &s.Confidence); err != nil {
				return out, err
			}
			out = append(out, s)
		}
	}
	item.Media.Learn(&facts)
	return out, nil
}

// told is a chunk that toldEngine understands.
func told(said string) []byte {
	body := append([]byte("tEXt"+toldPrefix), said+"\n"...)
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	out = append(out, body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

// drawn is a picture of 64 × 48 in soft colours.
func drawn() *stdimage.Paletted {
	img := stdimage.NewPaletted(stdimage.Rect(0, 0, 64, 48), color.Palette{color.Gray{40}, color.RGBA{90, 140, 90, 255}, color.RGBA{200, 190, 150, 255}})
	for i := range img.Pix {
		img.Pix[i] = uint8((i%64/7 + i/64/5) % 3)
	}
	return img
}

// picture makes a file: picture FILE png|jpeg|gif|animated|bomb|cut|svg [FINDING…], the
// findings of a png as toldEngine has them.
func (s *script) picture(args []string) error {
	var out bytes.Buffer
	var err error
	switch img := drawn(); arg(args, 1) {
	case "png", "cut", "bomb":
		if err = png.Encode(&out, img); err != nil {
			return err
		}
		file := out.Bytes()
		head := bytes.Clone(file[:33]) // signature and IHDR
		if arg(args, 1) == "bomb" {
			binary.BigEndian.PutUint32(head[16:], 60_000)
			binary.BigEndian.PutUint32(head[20:], 60_000)
			binary.BigEndian.PutUint32(head[29:], crc32.ChecksumIEEE(head[12:29]))
		}
		var whole bytes.Buffer
		whole.Write(head)
		for _, said := range args[min(2, len(args)):] {
			whole.Write(told(said))
		}
		rest := file[33:]
		if arg(args, 1) == "cut" {
			rest = rest[:len(rest)-20]
		}
		whole.Write(rest)
		out = whole
	case "jpeg":
		err = jpeg.Encode(&out, img, nil)
	case "gif":
		err = gif.Encode(&out, img, nil)
	case "animated":
		other := drawn()
		for i := range other.Pix {
			other.Pix[i] = 2 - other.Pix[i]
		}
		err = gif.EncodeAll(&out, &gif.GIF{Image: []*stdimage.Paletted{img, other}, Delay: []int{50, 70}})
	case "svg":
		out.WriteString(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`)
	default:
		err = fmt.Errorf("no kind of picture: %s", arg(args, 1))
	}
	if err != nil {
		return err
	}
	return os.WriteFile(s.ts.MkAbs(arg(args, 0)), out.Bytes(), 0o600)
}

func (s *script) inline(args []string) error {
	s.ts.Setenv(arg(args, 0), base64.StdEncoding.EncodeToString([]byte(s.ts.ReadFile(arg(args, 1)))))
	return nil
}
