package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
)

const policyUsage = `Usage: portcullis policy check FILE...
       portcullis policy resolve [flags]

check reads layers (KIND/NAME.yaml) and word lists (lists/NAME.yaml), says what is
wrong with them, all at once, and runs the tests of their words. resolve says which
layers hold for a message and which of them set what.

`

// policyRole checks and shows policies.
func policyRole(_ context.Context, args []string, std std) error {
	if len(args) == 0 {
		std.note("%s", policyUsage)
		return badUsage("policy: check or resolve?")
	}
	switch args[0] {
	case "check":
		return policyCheck(args[1:], std)
	case "resolve":
		return policyResolve(args[1:], std)
	case "--help", "-h", "help":
		std.note("%s", policyUsage)
		return flag.ErrHelp
	}
	return badUsage("policy: no %q", args[0])
}

// policyCheck checks files one by one and then together.
func policyCheck(args []string, std std) error {
	f := newFlags("policy check", std)
	f.Usage = func() { std.note("%s", policyUsage); f.PrintDefaults() }
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil {
		return badUsage("%v", err)
	}
	if f.NArg() == 0 {
		return badUsage("policy check: which files?")
	}
	// Lists that a layer names may be among those that are built in.
	_, words, err := readPolicies(policyFiles(""))
	if err != nil {
		return err
	}
	var layers []policy.Layer
	bad := 0
	for _, name := range f.Args() {
		faults, err := checkPolicyFile(name, &layers, words.Lists)
		if err != nil {
			return err
		}
		for _, fault := range faults {
			std.say("%s: %s\n", name, fault)
		}
		bad += len(faults)
	}
	if bad == 0 {
		faults := policy.TestWords(layers, words)
		var all policy.Faults
		if _, err := policy.Compile(policy.Config{}, layers, words); errors.As(err, &all) {
			faults = append(faults, all...)
		} else if err != nil {
			return err
		}
		for _, fault := range faults {
			std.say("%s\n", fault)
		}
		bad += len(faults)
	}
	if bad > 0 {
		return fmt.Errorf("policy check: %d faults", bad)
	}
	std.say("ok: %d files\n", f.NArg())
	return nil
}

// checkPolicyFile reads one file and adds it to layers or lists.
func checkPolicyFile(name string, layers *[]policy.Layer, lists map[string]policy.List) (policy.Faults, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("policy check: %w", err)
	}
	data, err := os.ReadFile(name) //nolint:gosec // the caller's own file
	if err != nil {
		return nil, fmt.Errorf("policy check: %w", err)
	}
	read, err := readPolicyFile(filepath.ToSlash(full), data)
	var faults policy.Faults
	switch {
	case errors.As(err, &faults):
	case err != nil:
		faults = policy.Faults{{Reason: err.Error()}}
	case read.list != nil:
		lists[read.name] = *read.list
	default:
		*layers = append(*layers, *read.layer)
	}
	return faults, nil
}

// policyResolve explains what holds for a message.
func policyResolve(args []string, std std) error {
	f := newFlags("policy resolve", std)
	file := f.String("config", "", "configuration `file`, for its policy")
	scene := f.String("scene", "", "the `scene`")
	region := f.String("region", "", "the player's `region` or country")
	segment := f.String("segment", "", "the player's `segment`: minor, standard, trusted")
	language := f.String("language", "", "the message's `language` (BCP 47)")
	kind := f.String("kind", string(engines.KindText), "the `kind` of content: text, name, image, audio, video")
	use := f.String("use", "", "what a picture or sound is for: avatar, screenshot, skin, upload, guild_emblem; clip, voice")
	at := f.String("at", "", "the `time`, as in 2030-01-31T18:00:00Z; now unless given")
	asJSON := f.Bool("json", false, "print JSON")
	f.Usage = func() { std.note("%s", policyUsage); f.PrintDefaults() }
	if err := parse(f, args); err != nil {
		return err
	}
	when := time.Now()
	if *at != "" {
		var err error
		if when, err = time.Parse(time.RFC3339, *at); err != nil {
			return badUsage("--at: %q is not a time such as 2030-01-31T18:00:00Z", *at)
		}
	}
	cfg, err := loadConfig(*file, os.Environ())
	if err != nil {
		return err
	}
	set, err := compilePolicy(cfg.Policy)
	if err != nil {
		return err
	}
	item := engines.Item{Kind: engines.Kind(*kind), Scene: engines.SceneID(*scene), Region: *region, Segment: *segment, Language: *language}
	if item.Media, err = mediaFor(item.Kind, engines.Use(*use)); err != nil {
		return err
	}
	x := set.Explain(&item, when)
	if *asJSON {
		b, err := json.MarshalIndent(explainedPolicy(x), "", "  ")
		if err != nil {
			return fmt.Errorf("policy resolve: %w", err)
		}
		std.say("%s\n", b)
		return nil
	}
	printPolicy(std, &x)
	return nil
}

// mediaFor is a file of a kind without its bytes, nil where the kind has none.
func mediaFor(kind engines.Kind, use engines.Use) (*engines.Media, error) {
	uses := map[engines.Kind][]engines.Use{engines.KindImage: engines.Uses, engines.KindAudio: engines.SoundUses}[kind]
	switch {
	case use != "" && !slices.Contains(uses, use):
		return nil, badUsage("--use: %q is no use of a %s: %v", use, kind, uses)
	case uses == nil:
		return nil, nil //nolint:nilnil // the kind has no file, as the comment says
	case use == "" && kind == engines.KindAudio:
		use = engines.UseClip
	}
	return &engines.Media{Use: use}, nil
}

// printPolicy prints an explanation for people.
func printPolicy(std std, x *policy.Explanation) {
	std.say("policy %s\nlayers: %s\n", x.Version, strings.Join(x.Layers, " < "))
	if x.GameMode != "" {
		std.say("game mode: %s\n", x.GameMode)
	}
	for _, w := range x.Windows {
		std.say("open: %s\n", w)
	}
	std.say("\nset:\n")
	for _, s := range x.Settings {
		over := ""
		if len(s.Overridden) > 0 {
			over = " over " + strings.Join(s.Overridden, ", ")
		}
		std.say("  %-52s %-20s %s%s\n", s.Pointer, s.Value, s.Layer, over)
	}
	for _, w := range x.Words {
		std.say("  words of %s: %d prohibited, %d exceptions\n", w.Source, w.Prohibited, w.Exceptions)
	}
	std.say("\nrules:\n")
	for _, r := range x.Rules {
		name, how := string(r.Category), fmt.Sprintf("%d %s", r.Strictness, r.Action)
		if r.SubLabel != "" {
			name = "  " + r.SubLabel
		}
		if !r.Enabled {
			how = "off"
		}
		if r.Mandatory {
			how += " mandatory"
		}
		if r.Reason != "" {
			how += fmt.Sprintf(" %q", r.Reason)
		}
		std.say("  %-22s %s\n", name, how)
	}
}

type (
	explanationJSON struct {
		Version  string            `json:"version"`
		GameMode string            `json:"game_mode"`
		Layers   []string          `json:"layers"`
		Windows  []string          `json:"windows"`
		Settings []settingJSON     `json:"settings"`
		Rules    []policyRuleJSON  `json:"rules"`
		Words    []policyWordsJSON `json:"words"`
	}
	settingJSON struct {
		Pointer    string          `json:"pointer"`
		Value      json.RawMessage `json:"value"`
		Layer      string          `json:"layer"`
		Overridden []string        `json:"overridden,omitempty"`
	}
	policyRuleJSON struct {
		Category   engines.Category `json:"category"`
		SubLabel   string           `json:"sub_label,omitempty"`
		Enabled    bool             `json:"enabled"`
		Strictness int              `json:"strictness"`
		Action     policy.Action    `json:"action"`
		Mandatory  bool             `json:"mandatory,omitempty"`
		Reason     string           `json:"reason,omitempty"`
	}
	policyWordsJSON struct {
		Source     string `json:"source"`
		Prohibited int    `json:"prohibited"`
		Exceptions int    `json:"exceptions"`
	}
)

func explainedPolicy(x policy.Explanation) explanationJSON {
	out := explanationJSON{
		Version: x.Version, GameMode: x.GameMode, Layers: x.Layers, Windows: append([]string{}, x.Windows...),
		Settings: []settingJSON{}, Rules: []policyRuleJSON{}, Words: []policyWordsJSON{},
	}
	for _, s := range x.Settings {
		out.Settings = append(out.Settings, settingJSON{s.Pointer, json.RawMessage(s.Value), s.Layer, s.Overridden})
	}
	for _, r := range x.Rules {
		out.Rules = append(out.Rules, policyRuleJSON(r))
	}
	for _, w := range x.Words {
		out.Words = append(out.Words, policyWordsJSON(w))
	}
	return out
}
