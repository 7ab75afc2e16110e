package sqlstore

import (
	"cmp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/economy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// accounts puts bans that have no penalty among the penalties of their kind.
func accounts(list []store.AccountTally) []store.AccountTally {
	out := make([]store.AccountTally, 0, len(list))
	for _, t := range list {
		if typ, ok := strings.CutPrefix(t.Kind, "ban/"); ok {
			t.Kind = typ
			if kind := store.PenaltyOf(economy.BanType(typ)); kind != "" {
				t.Kind = string(kind)
			}
		}
		i := slices.IndexFunc(out, func(o store.AccountTally) bool { return o.Kind == t.Kind && o.By == t.By })
		if i < 0 {
			out = append(out, t)
			continue
		}
		out[i].N += t.N
		out[i].Lifted += t.Lifted
	}
	slices.SortFunc(out, func(a, b store.AccountTally) int {
		return cmp.Or(cmp.Compare(store.PenaltyKind(a.Kind).Rank(), store.PenaltyKind(b.Kind).Rank()), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.By, b.By))
	})
	return out
}
