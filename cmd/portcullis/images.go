package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/image/code"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
	"github.com/portcullis-gg/portcullis/engines/image/ocr"
	"github.com/portcullis-gg/portcullis/engines/image/pdq"
	"github.com/portcullis-gg/portcullis/gateway"
	"github.com/portcullis-gg/portcullis/internal/dispatch"
)

// imageConfig is the part of portcullis.yaml about pictures.
type imageConfig struct {
	// Bytes, Pixels and Frames bound one picture: of its file, of a frame, of an
	// animation those that are looked at.
	Bytes  int `yaml:"bytes"`
	Pixels int `yaml:"pixels"`
	Frames int `yaml:"frames"`
	// Memory bounds what all pictures take that are unpacked at once.
	Memory int64 `yaml:"memory"`
	// Slots is how many are looked at at once, 0 for one of each processor; Queue is
	// how many may wait. Full-rule: the policy's fail rule decides.
	Slots    int           `yaml:"slots"`
	Queue    int           `yaml:"queue"`
	Deadline time.Duration `yaml:"deadline"`
	// Remembered is how many bytes what is known of pictures may take.
	Remembered int `yaml:"remembered"`
	// Run is local, workers or both (portcullis worker); JobQueue and JobBytes are the
	// Queue and PayloadBytes of dispatch.Config.
	Run      dispatch.Run `yaml:"run"`
	JobQueue int          `yaml:"job_queue"`
	JobBytes int64        `yaml:"job_bytes"`
}

// dispatch is how pictures go to workers.
func (c *imageConfig) dispatch() dispatch.Config {
	return dispatch.Config{Run: c.Run, Queue: c.JobQueue, PayloadBytes: c.JobBytes}
}

func defaultImageConfig() imageConfig {
	lim := decode.Default()
	return imageConfig{
		Bytes: lim.Bytes, Pixels: lim.Pixels, Frames: lim.Sampled, Memory: lim.Memory, Queue: 64, Deadline: 5 * time.Second, Remembered: 32 << 20,
		Run: dispatch.Local, JobQueue: dispatch.Default().Queue, JobBytes: dispatch.Default().PayloadBytes,
	}
}

func (c *imageConfig) validate() error {
	var errs []error
	for _, k := range []struct {
		key string
		n   int64
	}{{"bytes", int64(c.Bytes)}, {"pixels", int64(c.Pixels)}, {"frames", int64(c.Frames)}, {"queue", int64(c.Queue)}, {"deadline", int64(c.Deadline)}} {
		if k.n <= 0 {
			errs = append(errs, fmt.Errorf("image.%s: must be positive", k.key))
		}
	}
	errs = append(errs, validDispatch("image", c.dispatch()))
	if c.Slots < 0 {
		errs = append(errs, errors.New("image.slots: must not be negative"))
	}
	if c.Memory < 64<<20 {
		errs = append(errs, errors.New("image.memory: must be at least 67108864"))
	}
	return errors.Join(errs...)
}

// limits are those of one picture.
func (c *imageConfig) limits() decode.Limits {
	lim := decode.Default()
	lim.Bytes, lim.Pixels, lim.Sampled, lim.Memory = c.Bytes, c.Pixels, c.Frames, c.Memory
	return lim
}

// accept refuses a picture by its headers.
func (c *imageConfig) accept(picture []byte, claim string) error {
	_, err := decode.Read(picture, claim, c.limits())
	return err //nolint:wrapcheck // an engines.Refusal
}

// inspectingImages is the engine that pictures go to: the one given. Tests of what
// happens when it finds something, is late or fails put one around it.
var inspectingImages = func(e engines.Engine) engines.Engine { return e }

// imageParts is what this process looks at pictures with, beside decoding them.
type imageParts struct {
	image.Config

	has, lacks []string
	closers    []func() error
}

// newImageParts loads what there is; m, which its caller closes after it, has the models.
func newImageParts(_ *imageConfig, m *modelKeeper) *imageParts {
	p := &imageParts{has: []string{"QR and bar codes"}}
	p.Hash, p.Codes = pdq.Sum, new(code.Reader)
	if p.Detectors = m.detectors(); len(p.Detectors) > 0 {
		p.has = append(p.has, "what models see")
	} else {
		p.lacks = append(p.lacks, "what models see")
	}
	reader, err := ocr.Load(m.store, &m.board, ocr.Defaults())
	if err != nil { // the status of models says why
		p.lacks = append(p.lacks, "text")
		return p
	}
	p.Text, p.has = reader, append(p.has, "text")
	p.closers = append(p.closers, reader.Close)
	return p
}

// engine is the engine that looks itself, in a gateway or a worker.
func (p *imageParts) engine(c *imageConfig) (engines.Engine, error) {
	cfg := p.Config
	cfg.Limits, cfg.Memory = c.limits(), c.Memory
	e, err := image.New(cfg)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names what is wrong
	}
	return inspectingImages(e), nil
}

// close frees what was loaded, once nothing looks at pictures any more.
func (p *imageParts) close() error {
	var errs []error
	for _, end := range p.closers {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// buildImages builds the engine for pictures; text reads the words in them.
func (a *app) buildImages(text engines.Engine) error {
	c := &a.cfg.Image
	inner, err := a.imageEngine()
	if err != nil {
		return err
	}
	reader, err := image.NewReader(image.ReaderConfig{
		Inner: inner, Version: buildVersion() + " " + a.models.loaded(), Text: text, Banks: a.imageBanks, Remembered: c.Remembered,
	})
	if err != nil {
		return err
	}
	slots := c.slots()
	if a.away[engines.KindImage] != nil {
		slots = max(slots, atWorkers) // to wait for a worker takes no processor
	}
	a.images, err = engines.NewPool(engines.PoolConfig{
		Name: "image", Engine: reader, Slots: slots, Queue: c.Queue, Deadline: c.Deadline, Registry: a.reg, Log: a.log,
	})
	return err
}

func (c *imageConfig) slots() int {
	if c.Slots == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Slots
}

// imageEngine looks at pictures here, or has workers look.
func (a *app) imageEngine() (engines.Engine, error) {
	c := &a.cfg.Image
	var local engines.Engine
	if c.Run != dispatch.Workers {
		a.imageParts = newImageParts(c, a.models)
		e, err := a.imageParts.engine(c)
		if err != nil || c.Run == dispatch.Local || a.jobs == nil { // the last: both, where no worker could be
			return e, err
		}
		local = &bounded{engine: e, slots: make(chan struct{}, c.slots())}
	}
	return a.sendAway(engines.KindImage, c.dispatch(), local)
}

// imageComponent says what pictures are looked at for.
func (a *app) imageComponent() gateway.Component {
	c := gateway.Component{Name: "engine:image", State: "ok", Detail: "JPEG, PNG, APNG, GIF, WebP, BMP"}
	if a.imageParts == nil {
		c.Detail += "; workers look"
		return c
	}
	c.Detail += "; looked for: " + strings.Join(append([]string{"known pictures"}, a.imageParts.has...), ", ")
	if len(a.imageParts.lacks) > 0 {
		c.State = "degraded"
		c.Detail += "; not detected: " + strings.Join(a.imageParts.lacks, ", ")
	}
	return c
}
