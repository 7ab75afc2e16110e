package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	_ "image/gif" // the formats whose pictures banks take
	_ "image/jpeg"
	_ "image/png"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image/pdq"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/banks"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// buildImageBanks builds the keeper of banks and reads what they hold.
func (a *app) buildImageBanks(ctx context.Context) error {
	a.imageBanks = banks.New(a.cfg.ImageBanks, banks.Deps{
		Store: a.db, Pictures: pictures{}, Tell: a.tellImageBanks, Node: a.node, Log: a.log,
	})
	return a.imageBanks.Load(ctx)
}

func imageBankLimits(c *banks.Config) gateway.ImageBankLimits {
	return gateway.ImageBankLimits{ImportBytes: c.ImportBytes, PictureBytes: c.PictureBytes, Timeout: c.ImportTimeout, LeastQuality: c.LeastQuality}
}

// imageBanksNotice is a note on the feed's channel, as rulesNotice is: a bank of known
// pictures has changed.
const imageBanksNotice = "image_banks"

func (a *app) tellImageBanks() { a.behind.Feed([]byte(imageBanksNotice + "\n" + a.node)) }

// heardImageBanks takes such a note; false for any other.
func (a *app) heardImageBanks(payload []byte) bool {
	notice, node, _ := strings.Cut(string(payload), "\n")
	if notice != imageBanksNotice {
		return false
	}
	if node != a.node {
		a.imageBanks.Told()
	}
	return true
}

// pictures makes the hashes of JPEG, PNG and GIF pictures that go into banks.
type pictures struct{}

// bankPixels is the largest picture that goes into a bank: 160 MiB once decoded.
const bankPixels = 40 << 20

func (pictures) Facts(_ context.Context, file []byte) (*engines.MediaFacts, error) {
	head, format, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, wire.Fail(wire.Unsupported, "not a JPEG, PNG or GIF picture, or its head is broken")
	}
	if head.Width < 1 || head.Height < 1 || int64(head.Width)*int64(head.Height) > bankPixels {
		return nil, wire.Fail(wire.TooLarge, fmt.Sprintf("a picture of %d by %d pixels; at most %d in all", head.Width, head.Height, bankPixels))
	}
	img, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, wire.Fail(wire.Unsupported, "the picture is broken")
	}
	f := &engines.MediaFacts{Format: format, Width: head.Width, Height: head.Height, Frames: 1, SHA256: sha256.Sum256(file)}
	f.PDQ, f.PDQQuality = pdq.Sum(img)
	return f, nil
}
