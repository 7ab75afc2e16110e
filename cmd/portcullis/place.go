package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/portcullis-gg/portcullis/internal/store/sqlstore"
)

// storePlace is where a tool finds the gateway's durable store.
type storePlace struct{ data, config *string }

func storeFlags(f *flag.FlagSet) storePlace {
	return storePlace{
		data:   f.String("data", "data", "the gateway's data folder"),
		config: f.String("config", "", "the gateway's configuration file, for database.url"),
	}
}

func (p storePlace) open(ctx context.Context) (*sqlstore.Store, error) {
	cfg, err := loadConfig(*p.config, os.Environ())
	if err != nil {
		return nil, fmt.Errorf("configuration:\n%w", err)
	}
	key, err := sqlstore.LoadMasterKey(*p.data)
	if err != nil {
		return nil, err
	}
	return sqlstore.Open(ctx, sqlstore.Config{Dir: *p.data, URL: cfg.Database.URL, MasterKey: key, Node: "cli"})
}
