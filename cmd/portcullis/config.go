package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/policy"
	"github.com/portcullis-gg/portcullis/engines/text"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/audit"
	"github.com/portcullis-gg/portcullis/internal/banks"
	"github.com/portcullis-gg/portcullis/internal/batch"
	"github.com/portcullis-gg/portcullis/internal/casework"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
	"github.com/portcullis-gg/portcullis/internal/evidence"
	"github.com/portcullis-gg/portcullis/internal/history"
	"github.com/portcullis-gg/portcullis/internal/hooks"
	"github.com/portcullis-gg/portcullis/internal/limit"
	"github.com/portcullis-gg/portcullis/internal/penalty"
	"github.com/portcullis-gg/portcullis/internal/players"
	"github.com/portcullis-gg/portcullis/internal/review"
	"github.com/portcullis-gg/portcullis/internal/wire"
	"github.com/portcullis-gg/portcullis/streams/chat"
	"github.com/portcullis-gg/portcullis/streams/voice"
)

// config is portcullis.yaml. Every package owns its part.
type config struct {
	HTTP       gateway.Config  `yaml:"http"`
	Chat       chat.Config     `yaml:"chat"`
	Voice      voice.Config    `yaml:"voice"`
	Requests   requests        `yaml:"requests"`
	Limits     limit.Config    `yaml:"limits"`
	Text       textConfig      `yaml:"text"`
	Models     modelsConfig    `yaml:"models"`
	Policy     policy.Config   `yaml:"policy"`
	Review     review.Config   `yaml:"review"`
	Evidence   evidence.Config `yaml:"evidence"`
	History    history.Config  `yaml:"history"`
	Audit      audit.Config    `yaml:"audit"`
	Cases      casework.Config `yaml:"cases"`
	Batches    batch.Config    `yaml:"batches"`
	Webhooks   hooks.Config    `yaml:"webhooks"`
	Penalties  penalty.Config  `yaml:"penalties"`
	Players    players.Config  `yaml:"players"`
	Database   database        `yaml:"database"`
	Redis      redisConfig     `yaml:"redis"`
	Log        logConfig       `yaml:"log"`
	ImageBanks banks.Config    `yaml:"image_banks"`
	Image      imageConfig     `yaml:"image"`
	Audio      audioConfig     `yaml:"audio"`
	Economy    economyConfig   `yaml:"economy"`

	data string // --data
	demo bool   // no --config: development
}

type (
	database struct {
		URL string `yaml:"url"`
	}
	redisConfig struct {
		URL string `yaml:"url"`
		// Wait is how long is waited for its answers, see redisstore.Config.
		Wait time.Duration `yaml:"wait"`
	}
	economyConfig struct {
		// CloseCalmed closes the case of a risk that has fallen, see economy.Deps.
		CloseCalmed bool `yaml:"close_calmed"`
		// HotPlayers is how many players of an app lie unpacked, see risk.Config.
		HotPlayers int `yaml:"hot_players"`
		// PackedMB is how many MB of the others stay in the process where there is a
		// Redis, for each app; 0: all.
		PackedMB int `yaml:"packed_mb"`
	}
	logConfig struct {
		Level string `yaml:"level"`
	}
	textConfig struct {
		// Lexicons is a folder of word lists; "" uses those built in.
		Lexicons string        `yaml:"lexicons"`
		Slots    int           `yaml:"slots"`
		Queue    int           `yaml:"queue"`
		Deadline time.Duration `yaml:"deadline"`
		Links    linksConfig   `yaml:"links"`
		// Meaning has messages that the engine is unsure of read as a whole, where the model is.
		Meaning bool `yaml:"meaning"`
	}
	// linksConfig names hosts that links may, or must not, lead to.
	linksConfig struct {
		Allow   []string `yaml:"allow"`
		Deny    []string `yaml:"deny"`
		Invites []string `yaml:"invites"`
		DenyAll bool     `yaml:"deny_all"`
	}
	// requests are the bounds of what one request may hold.
	requests struct {
		BodyBytes      int `yaml:"body_bytes"`
		TextCodePoints int `yaml:"text_code_points"`
		LogEntries     int `yaml:"log_entries"`
		FrameBytes     int `yaml:"frame_bytes"`
	}
)

func defaultConfig() config {
	return config{
		HTTP: gateway.DefaultConfig(), Chat: chat.DefaultConfig(), Voice: voice.Default(), Limits: limit.DefaultConfig(), Review: review.Default(), Batches: batch.Default(), ImageBanks: banks.Default(), Webhooks: hooks.Default(),
		Penalties: penalty.Default(), Players: players.Default(),
		Evidence: evidence.Default(), History: history.Default(), Audit: audit.Default(),
		Cases:    casework.Default(),
		Economy:  economyConfig{HotPlayers: 1 << 16, PackedMB: 1024},
		Requests: requests{BodyBytes: 1 << 20, TextCodePoints: 10_000, LogEntries: 1000, FrameBytes: 128 << 10},
		Text:     textConfig{Slots: 64, Queue: 4096, Deadline: 18 * time.Millisecond, Meaning: true},
		Image:    defaultImageConfig(),
		Audio:    defaultAudioConfig(),
		Redis:    redisConfig{Wait: leastRedisWait},
		Log:      logConfig{Level: "info"},
	}
}

// inspecting is the engine that texts go to: the one given. Tests of what happens when
// it is late or fails put one around it.
var inspecting = func(e engines.Engine) engines.Engine { return e }

// engine is the text engine that the configuration asks for; second reads what it is unsure
// of.
func (t *textConfig) engine(second text.Second) (*text.Engine, error) {
	cfg := text.Config{Second: second, Links: text.LinkConfig{Allow: t.Links.Allow, Deny: t.Links.Deny, Invites: t.Links.Invites, DenyAll: t.Links.DenyAll}}
	if t.Lexicons != "" {
		cfg.Lexicons = os.DirFS(t.Lexicons)
	}
	engine, err := text.New(cfg)
	if err != nil {
		return nil, fmt.Errorf("text engine: %w", err)
	}
	return engine, nil
}

// loadConfig reads a file ("" for none) over the defaults and the environment
// over both. It returns every fault at once, each with its line or key; what
// could be read is in the config all the same, so that it can be validated too.
func loadConfig(file string, environ []string) (config, error) {
	c := defaultConfig()
	var err error
	if file != "" {
		if err = readConfig(&c, file); err != nil {
			err = fmt.Errorf("%s: %w", file, err)
		}
	}
	return c, errors.Join(err, fromEnvironment(&c, environ))
}

func readConfig(c *config, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	err = dec.Decode(c)
	if errors.Is(err, io.EOF) {
		return nil // nothing but comments
	}
	if next := dec.Decode(new(yaml.Node)); err == nil && !errors.Is(next, io.EOF) {
		return errors.New("more than one document")
	}
	return err
}

// validate returns every problem of every part.
func (c *config) validate() error {
	errs := []error{
		c.HTTP.Validate(), c.Chat.Validate(), c.Voice.Validate(), c.Limits.Validate(), c.Review.Validate(), c.Policy.Validate(), c.Batches.Validate(), c.ImageBanks.Validate(), c.Webhooks.Validate(),
		c.Penalties.Validate(), c.Players.Validate(),
		c.Evidence.Validate(), c.History.Validate(), c.Audit.Validate(),
		c.Cases.Validate(), c.Models.validate(),
	}
	positive := func(key string, n int64) {
		if n <= 0 {
			errs = append(errs, fmt.Errorf("%s: must be positive", key))
		}
	}
	positive("requests.body_bytes", int64(c.Requests.BodyBytes))
	positive("requests.text_code_points", int64(c.Requests.TextCodePoints))
	positive("requests.log_entries", int64(c.Requests.LogEntries))
	positive("requests.frame_bytes", int64(c.Requests.FrameBytes))
	positive("economy.hot_players", int64(c.Economy.HotPlayers))
	if c.Economy.PackedMB < 0 || c.Economy.PackedMB > 8192 {
		errs = append(errs, errors.New("economy.packed_mb: must be 0 to 8192"))
	}
	positive("text.slots", int64(c.Text.Slots))
	positive("text.queue", int64(c.Text.Queue))
	positive("text.deadline", int64(c.Text.Deadline))
	errs = append(errs, c.Image.validate(), c.Audio.validate())
	if _, err := c.level(); err != nil {
		errs = append(errs, err)
	}
	for _, k := range []struct {
		section string
		run     dispatch.Run
	}{{"image", c.Image.Run}, {"audio", c.Audio.Run}} {
		if k.run == dispatch.Workers && c.Redis.URL == "" {
			errs = append(errs, fmt.Errorf("redis.url: needed with %s.run workers, which take their jobs from it", k.section))
		}
	}
	if c.Redis.Wait < leastRedisWait || c.Redis.Wait > mostRedisWait {
		errs = append(errs, fmt.Errorf("redis.wait: must be %v to %v", leastRedisWait, mostRedisWait))
	}
	if c.Database.URL != "" && c.Redis.URL == "" {
		errs = append(errs, errors.New("redis.url: needed with database.url, which several gateways share; the embedded store is one process's alone"))
	}
	return errors.Join(errs...)
}

// What redis.wait may be: a breaker opens on an answer that is late, and clients give up.
const (
	leastRedisWait = 250 * time.Millisecond
	mostRedisWait  = 30 * time.Second
)

func (c *config) level() (slog.Level, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(c.Log.Level)); err != nil {
		return l, fmt.Errorf("log.level: %q is not debug, info, warn or error", c.Log.Level)
	}
	return l, nil
}

func (c *config) limits() wire.Limits {
	r, b := c.Requests, c.Batches
	return wire.Limits{
		BodyBytes: r.BodyBytes, TextCodePoints: r.TextCodePoints, LogEntries: r.LogEntries, FrameBytes: r.FrameBytes,
		BatchLines: b.Lines, BatchBytes: b.Bytes, BatchLineBytes: b.LineBytes, BatchFileLineBytes: b.FileLineBytes, BatchesAtOnce: b.AtOnce, BatchLinesADay: b.LinesADay,
		ImageBytes: c.Image.Bytes, ImagePixels: c.Image.Pixels, ImageFrames: c.Image.Frames,
		AudioBytes: c.Audio.Bytes, AudioSeconds: int(c.Audio.Duration.Seconds()), AudioChannels: c.Audio.limits().Channels,
	}
}

// accept refuses a picture or a sound by its headers.
func (c *config) accept(kind engines.Kind, file []byte, claim string) error {
	if kind == engines.KindAudio {
		return c.Audio.accept(file, claim)
	}
	return c.Image.accept(file, claim)
}

// demoPolicy is the policy of a gateway that runs without a configuration: one
// scene for each mode, for the demo page.
func demoPolicy() (policy.Config, []gateway.DemoScene) {
	yes := true
	scenes := []policy.SceneConfig{
		{Scene: "demo-deferred", Mode: engines.DeferredReview},
		{Scene: "demo-prereview", Mode: engines.PreReview, ApproveClear: &yes},
		{Scene: "demo-monitor", Mode: engines.MonitorOnly},
		{Scene: "demo-mask", Categories: map[engines.Category]policy.CategoryConfig{engines.Harassment: {Action: policy.ActionMask}}},
	}
	return policy.Config{Scenes: scenes}, []gateway.DemoScene{
		{Scene: "demo-realtime", Mode: engines.RealTimeBlock, Note: "Every message is checked before it is delivered."},
		{Scene: "demo-mask", Mode: engines.RealTimeBlock, Note: "Insults are masked and delivered; worse is blocked."},
		{Scene: "demo-deferred", Mode: engines.DeferredReview, Note: "Delivered at once, checked after, retracted if need be."},
		{Scene: "demo-prereview", Mode: engines.PreReview, Note: "Clear messages pass; doubtful ones wait for a moderator."},
		{Scene: "demo-monitor", Mode: engines.MonitorOnly, Note: "Nothing is blocked; what was found is recorded."},
	}
}
