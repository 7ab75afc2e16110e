package policies

import (
	"context"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// reservedList is the app's word list whose words no name may bear or look like.
const reservedList = "reserved_names"

// Reserved is the names that an app keeps for itself; one that has no such list has none.
func (k *Keeper) Reserved(ctx context.Context, app engines.AppID) ([]string, error) {
	view, err := k.Layer(ctx, store.PolicyKey{App: app, Layer: store.ListLayer, Name: reservedList})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if view.Body == "" { // deleted
		return nil, nil
	}
	list, err := policy.ReadList([]byte(view.Body))
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", reservedList, err)
	}
	words := make([]string, 0, len(list.Prohibited))
	for i := range list.Prohibited {
		words = append(words, list.Prohibited[i].Term)
	}
	return words, nil
}
