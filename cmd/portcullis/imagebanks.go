package main

import (
	"context"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/image/pdq"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/banks"
)

// buildImageBanks builds the keeper of banks and reads what they hold.
func (a *app) buildImageBanks(ctx context.Context) error {
	hashes, err := newPictures(&a.cfg.Image)
	if err != nil {
		return err
	}
	a.imageBanks = banks.New(a.cfg.ImageBanks, banks.Deps{
		Store: a.db, Pictures: hashes, Tell: a.tellImageBanks, Node: a.node, Log: a.log,
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

// pictures makes the hashes of pictures that go into banks, with the engine that looks
// for them later, so that what is the same is found to be.
type pictures struct{ engine *image.Engine }

func newPictures(c *imageConfig) (pictures, error) {
	e, err := image.New(image.Config{Hash: pdq.Sum, Limits: c.limits()})
	return pictures{e}, err //nolint:wrapcheck // it names what is wrong
}

func (p pictures) Facts(ctx context.Context, file []byte) (*engines.MediaFacts, error) {
	item := &engines.Item{Kind: engines.KindImage, Media: &engines.Media{Bytes: file}}
	if _, err := p.engine.Inspect(ctx, item, nil); err != nil {
		return nil, err //nolint:wrapcheck // an engines.Refusal is an answer
	}
	return item.Media.Facts(), nil
}
