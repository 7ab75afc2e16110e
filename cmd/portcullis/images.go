package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/image"
	"github.com/portcullis-gg/portcullis/engines/image/decode"
	"github.com/portcullis-gg/portcullis/gateway"
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
}

func defaultImageConfig() imageConfig {
	lim := decode.Default()
	return imageConfig{
		Bytes: lim.Bytes, Pixels: lim.Pixels, Frames: lim.Sampled, Memory: lim.Memory, Queue: 64, Deadline: 5 * time.Second, Remembered: 32 << 20,
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

// imageParts is what this build looks at pictures with, beside decoding them.
func imageParts(*imageConfig) (parts image.Config, has, lacks []string) {
	return parts, nil, []string{"nudity", "known pictures", "text", "codes"}
}

// buildImages builds the engine for pictures; text reads the words in them.
func (a *app) buildImages(text engines.Engine) error {
	c := &a.cfg.Image
	parts, _, _ := imageParts(c)
	parts.Limits, parts.Memory = c.limits(), c.Memory
	inner, err := image.New(parts)
	if err != nil {
		return err
	}
	reader, err := image.NewReader(image.ReaderConfig{
		Inner: inspectingImages(inner), Version: buildVersion(), Text: text, Remembered: c.Remembered,
	})
	if err != nil {
		return err
	}
	slots := c.Slots
	if slots == 0 {
		slots = runtime.GOMAXPROCS(0)
	}
	a.images, err = engines.NewPool(engines.PoolConfig{
		Name: "image", Engine: reader, Slots: slots, Queue: c.Queue, Deadline: c.Deadline, Registry: a.reg, Log: a.log,
	})
	return err
}

// imageComponent says what pictures are looked at for.
func (a *app) imageComponent() gateway.Component {
	_, has, lacks := imageParts(&a.cfg.Image)
	c := gateway.Component{Name: "engine:image", State: "ok", Detail: "JPEG, PNG, APNG, GIF, WebP, BMP"}
	if len(has) > 0 {
		c.Detail += "; looked for: " + strings.Join(has, ", ")
	}
	if len(lacks) > 0 {
		c.State = "degraded"
		c.Detail += "; not in this build, not detected: " + strings.Join(lacks, ", ")
	}
	return c
}
