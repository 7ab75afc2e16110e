package casework_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/store"
	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// BenchmarkNext claims and skips the most urgent case of 10,000.
func BenchmarkNext(b *testing.B) {
	db, err := sqlstore.Open(b.Context(), sqlstore.Config{Dir: b.TempDir(), MasterKey: [32]byte{1}, Node: node})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	}()
	now := time.Now()
	const cases, writers = 10_000, 50
	done := make(chan error, writers)
	for w := range writers {
		go func() {
			var err error
			for i := w; i < cases && err == nil; i += writers {
				id := fmt.Sprintf("c%05d", i)
				c := store.Case{
					ID: engines.CaseID(id), App: "game", Request: engines.RequestID(id), Player: "p", State: store.CaseOpen, Queue: "abuse", Priority: i % 5,
					Due: now.Add(time.Duration(i) * time.Second), Version: 1, Created: now, Updated: now,
				}
				err = db.PutDecision(context.Background(), store.Decision{App: "game", Request: c.Request, Kind: engines.KindText, Created: now}, &c, nil)
			}
			done <- err
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
	s := casework.New(casework.Default(), casework.Deps{Store: db})
	b.ResetTimer()
	for i := range b.N {
		p := casework.Person{Name: fmt.Sprint("mod", i), Role: "moderator"}
		c, err := s.Next(b.Context(), p, "", "")
		if err == nil {
			_, err = s.Move(b.Context(), c.ID, casework.Move{Action: casework.Skip, By: p, Version: c.Version, Reason: "r"})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
