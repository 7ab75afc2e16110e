package main

import "github.com/portcullis-gg/portcullis/internal/batch"

func (a *app) buildBatches() {
	a.batches = batch.New(a.cfg.Batches, batch.Deps{
		Store: a.db, Desk: a.desk, Limits: a.cfg.limits(), Accept: a.cfg.accept, Reserved: a.policies.Reserved, Node: a.node, Alone: !a.redis.Shared(),
		Named: a.economy.Named, Ended: a.hooks.Wake, Registry: a.reg, Log: a.log,
	})
}
