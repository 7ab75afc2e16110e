package gateway

import (
	"strconv"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/banks"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

// ownerOf says whose a bank is: app, or all.
func ownerOf(app engines.AppID) string {
	if app == "" {
		return "all"
	}
	return "app"
}

// appendImageBank appends a bank: how many hashes it has, and never which.
func appendImageBank(dst []byte, v *banks.View) []byte {
	dst = wire.Str(wire.Str(wire.Str(dst, "name", v.Name), "owner", ownerOf(v.App)), "category", string(v.Category))
	dst = wire.Some(dst, "sub_label", v.SubLabel)
	dst = wire.Num(wire.Num(dst, "threshold", int64(v.Radius)), "least_quality", int64(v.LeastQuality))
	dst = wire.Some(wire.Str(dst, "state", v.State), "note", v.Note)
	dst = wire.Str(wire.Num(dst, "version", int64(v.Version)), "etag", strconv.Quote(strconv.Itoa(v.Version)))
	dst = wire.Part(dst, "hashes", func(dst []byte) []byte {
		return wire.Num(wire.Num(dst, "pdq", int64(v.PDQHashes)), "sha256", int64(v.SHA256Hashes))
	})
	dst = wire.Num(wire.Num(wire.Num(dst, "retired_entries", int64(v.Gone)), "imports", v.Imports), "memory_bytes", int64(v.Bytes))
	return wire.When(wire.When(wire.Str(dst, "created_by", v.By), "created_at", time.UnixMilli(v.Created)), "changed_at", time.UnixMilli(v.Changed))
}

func appendImageImport(dst []byte, i *store.ImageImport) []byte {
	dst = wire.Num(wire.Str(wire.Str(wire.Str(dst, "import_id", i.ID), "state", i.State), "format", i.Format), "place", i.Place)
	dst = wire.Num(wire.Num(wire.Some(dst, "source", i.Source), "lines", i.Lines), "left_out", i.LeftOut)
	kind := func(dst []byte, name string, first, n int64) []byte {
		return wire.Part(dst, name, func(dst []byte) []byte { return wire.Num(wire.Num(dst, "first", first), "count", n) })
	}
	dst = kind(kind(dst, "pdq", i.PDQFirst, i.PDQ), "sha256", i.SHA256First, i.SHA256)
	return wire.When(wire.Str(dst, "by", i.By), "created_at", time.UnixMilli(i.Created))
}

// withReport answers what became of an import.
func (c *call) withReport(r *banks.Report) error {
	return c.ok(func(dst []byte) []byte {
		dst = wire.Num(appendImageImport(dst, &r.ImageImport), "low_quality", r.LowQuality)
		return wire.List(dst, "faults", len(r.Faults), func(dst []byte, i int) []byte {
			return wire.Str(wire.Num(dst, "line", int64(r.Faults[i].Line)), "reason", r.Faults[i].Reason)
		})
	})
}
