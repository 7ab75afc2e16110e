package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// auditRole checks the audit log of the store, also while gateways write to it.
func auditRole(ctx context.Context, args []string, io std) error {
	verbs := map[string]func(context.Context, *sqlstore.Store, audit.Key, string, std) error{
		"verify": verifyAudit, "key": showAuditKey, "checkpoint": signAudit,
	}
	if len(args) == 0 || verbs[args[0]] == nil {
		return badUsage("audit verify|key|checkpoint --data DIR [--checkpoints FILE]")
	}
	f := newFlags("audit "+args[0], io)
	place := storeFlags(f)
	file := f.String("checkpoints", "", "verify: checkpoints that were kept elsewhere, one JSON object a line (a gateway's log is such a file); - is standard input")
	if err := parse(f, args[1:]); err != nil {
		return err
	}
	master, err := sqlstore.LoadMasterKey(*place.data)
	if err != nil {
		return err
	}
	db, err := place.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(verbs[args[0]](ctx, db, auditKey(master), *file, io), db.Close())
}

// errAudit is the end of a check that found something.
var errAudit = errors.New("the audit log is not what was written")

func verifyAudit(ctx context.Context, db *sqlstore.Store, key audit.Key, file string, s std) error {
	var kept []store.Checkpoint
	if file != "" {
		var err error
		if kept, err = readCheckpoints(file, s); err != nil {
			return fmt.Errorf("checkpoints: %w", err)
		}
	}
	r, err := audit.Verify(ctx, db, key.Public(), kept)
	if err != nil {
		return err
	}
	for _, fault := range r.Faults {
		s.note("%v\n", fault)
	}
	if len(r.Faults) > 0 {
		return errAudit
	}
	s.say("%d chains and %d checkpoints hold\n", r.Chains, r.Checkpoints)
	return nil
}

// checkpointLine is a checkpoint as it is logged and kept elsewhere.
type checkpointLine struct {
	Chain     string `json:"chain"`
	Seq       int64  `json:"seq"`
	Hash      string `json:"hash"`
	TS        int64  `json:"ts"`
	Key       string `json:"public_key"`
	Signature string `json:"signature"`
}

// readCheckpoints reads the lines of a file that are checkpoints; others (of a log)
// are passed over. A file without any is an error: it would prove nothing.
func readCheckpoints(file string, s std) (list []store.Checkpoint, err error) {
	in := s.in
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		var c checkpointLine
		if json.Unmarshal(line, &c) == nil && c.Chain != "" && c.Signature != "" {
			list = append(list, store.Checkpoint{
				AuditHead: store.AuditHead{Chain: c.Chain, Seq: c.Seq, Hash: c.Hash}, TS: time.UnixMilli(c.TS), Key: c.Key, Signature: c.Signature,
			})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, errors.New("there is none in it")
	}
	return list, nil
}

func showAuditKey(_ context.Context, _ *sqlstore.Store, key audit.Key, _ string, s std) error {
	s.say("%s\n", key.Public())
	return nil
}

// signAudit signs now what has grown, and prints the checkpoints to be kept elsewhere.
func signAudit(ctx context.Context, db *sqlstore.Store, key audit.Key, _ string, s std) error {
	made, err := audit.NewKeeper(audit.Default(), db, key, slog.Default()).Checkpoint(ctx)
	for _, c := range made {
		if err := printJSON(s, checkpointLine{c.Chain, c.Seq, c.Hash, c.TS.UnixMilli(), c.Key, c.Signature}); err != nil {
			return err
		}
	}
	return err
}
