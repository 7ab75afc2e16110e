package gateway

import (
	"errors"
	"slices"

	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// exportEvidence answers POST /evidence/export with an archive. It is packed into a
// file first, so that a fault is an answer and not half an archive.
func (g *Gateway) exportEvidence(c *call) error {
	o, err := c.object()
	if err != nil {
		return err
	}
	r, err := wire.ReadExport(o, evidence.MaxExport)
	if err != nil {
		return err
	}
	items, err := g.deps.Evidence.Select(c.ctx(), r.IDs, store.EvidenceQuery{App: r.App, Player: r.Player, Case: r.Case})
	if err != nil {
		return noEvidence(err)
	}
	if len(items) == 0 {
		return wire.Fail(wire.NotFound, "there is no such evidence")
	}
	if i := slices.IndexFunc(items, func(e store.Evidence) bool { return !c.user.MayTake("", string(e.Category)) }); i >= 0 {
		return wire.Fail(wire.Forbidden, "content of category "+string(items[i].Category)+" is not yours to see")
	}
	f, err := unnamedFile()
	if err != nil {
		return err
	}
	x := evidence.Export{Items: items, Reason: r.Reason, Reader: evidence.Reader{Name: c.user.Name, Unlock: c.unlocks(r.Unlock)}}
	if err := g.deps.Evidence.Pack(c.ctx(), x, f); err != nil {
		return errors.Join(noEvidence(err), f.Close())
	}
	return c.sendFile(f, "application/zip", "evidence-"+string(c.request)+".zip")
}
