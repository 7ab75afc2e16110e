package sqlstore

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// columnArrays encodes the arrays in which entries are sent without a call and an
// interface for each of their elements, which took a third of a gateway's time in
// the driver.
type columnArrays struct {
	*pgtype.ArrayCodec
	element uint32
}

// useColumnArrays has a connection encode arrays so. What else is asked of it is left
// to the driver.
func useColumnArrays(_ context.Context, conn *pgx.Conn) error {
	types := conn.TypeMap()
	for array, element := range map[uint32]uint32{
		pgtype.TextArrayOID: pgtype.TextOID, pgtype.Int8ArrayOID: pgtype.Int8OID, pgtype.Int4ArrayOID: pgtype.Int4OID, pgtype.Int2ArrayOID: pgtype.Int2OID,
	} {
		t, ok := types.TypeForOID(array)
		if !ok {
			continue
		}
		if codec, ok := t.Codec.(*pgtype.ArrayCodec); ok {
			types.RegisterType(&pgtype.Type{Name: t.Name, OID: array, Codec: columnArrays{codec, element}})
		}
	}
	return nil
}

// PlanEncode implements pgtype.Codec.
func (c columnArrays) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if format == pgtype.BinaryFormatCode {
		var fits bool
		switch value.(type) {
		case []string, []*string:
			fits = c.element == pgtype.TextOID
		case []int64:
			fits = c.element == pgtype.Int8OID || c.element == pgtype.Int4OID
		case []int16:
			fits = c.element == pgtype.Int2OID
		}
		if fits {
			return c
		}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

// Encode implements pgtype.EncodePlan, as PostgreSQL's array_recv wants it.
func (c columnArrays) Encode(value any, b []byte) ([]byte, error) {
	big := binary.BigEndian
	start := len(b)
	head := func(n int) {
		dimensions := uint32(1)
		if n == 0 {
			dimensions = 0
		}
		b = big.AppendUint32(big.AppendUint32(big.AppendUint32(b, dimensions), 0), c.element)
		if n > 0 {
			b = big.AppendUint32(big.AppendUint32(b, uint32(n)), 1) //nolint:gosec // a submission's entries
		}
	}
	text := func(s string) { b = append(big.AppendUint32(b, uint32(len(s))), s...) } //nolint:gosec // wire bounds it
	switch list := value.(type) {
	case []string:
		head(len(list))
		for _, s := range list {
			text(s)
		}
	case []*string:
		head(len(list))
		for _, s := range list {
			if s == nil {
				b = big.AppendUint32(b, 1<<32-1)
				big.PutUint32(b[start+4:], 1) // there are nulls
				continue
			}
			text(*s)
		}
	case []int64:
		head(len(list))
		for _, v := range list {
			switch {
			case c.element == pgtype.Int8OID:
				b = big.AppendUint64(big.AppendUint32(b, 8), uint64(v)) //nolint:gosec // the same bits
			case int64(int32(v)) != v: //nolint:gosec // that is the question
				return nil, fmt.Errorf("%d has more than 32 bits", v)
			default:
				b = big.AppendUint32(big.AppendUint32(b, 4), uint32(int32(v))) //nolint:gosec // it fits
			}
		}
	case []int16:
		head(len(list))
		for _, v := range list {
			b = big.AppendUint16(big.AppendUint32(b, 2), uint16(v)) //nolint:gosec // the same bits
		}
	}
	return b, nil
}
