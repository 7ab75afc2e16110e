package classify

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/engines/onnx"
)

// Own describes a network of the operator: a file in the ONNX format with one input, a
// picture, and one output, scores of labels or boxes.
type Own struct {
	// Name names it in signals, logs and the status.
	Name string `yaml:"name"`
	// File is its path; a relative one starts at the folder of models.
	File string `yaml:"file"`
	// SHA256 is held against the file; "" takes any.
	SHA256 string `yaml:"sha256"`
	Input  Input  `yaml:"input"`
	// Boxes says how the output lists things with their places (yolov5, yolov8); "" is
	// one score a label for the whole picture.
	Boxes string `yaml:"boxes"`
	// Overlap is from which intersection over union two boxes of a label are one
	// thing; 0 is 0.45.
	Overlap float64 `yaml:"overlap"`
	// Activation makes probabilities of scores: softmax, sigmoid, "" for none.
	Activation string `yaml:"activation"`
	// Labels are the network's, in the order of its output.
	Labels []string `yaml:"labels"`
	// Finds says which labels matter, and what they are.
	Finds map[string]Find `yaml:"finds"`
	// Licence and Limits are for people, on the status page.
	Licence string `yaml:"licence"`
	Limits  string `yaml:"limits"`
}

// Find is what a label of a network means here.
type Find struct {
	Category engines.Category `yaml:"category"`
	SubLabel string           `yaml:"sub_label"`
	Severity int              `yaml:"severity"`
	// Threshold is the score from which it is a finding; the score is its confidence.
	Threshold float64 `yaml:"threshold"`
}

// What Boxes and Activation can be.
const (
	YOLOv5  = "yolov5" // [1, boxes, 5 + labels]: x, y, width, height, certainty, scores
	YOLOv8  = "yolov8" // [1, 4 + labels, boxes]: x, y, width, height, scores
	Softmax = "softmax"
	Sigmoid = "sigmoid"
)

var (
	ownName  = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	subLabel = regexp.MustCompile(`^([a-z][a-z0-9_]{0,63})?$`)
)

// Validate returns everything that is wrong, each naming its key below prefix.
func (o *Own) Validate(prefix string) []error {
	var errs []error
	bad := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s.%s: %s", prefix, key, fmt.Sprintf(format, args...)))
	}
	if !ownName.MatchString(o.Name) {
		bad("name", "%q is not 1 to 64 of a-z, 0-9, dot, dash and underline", o.Name)
	}
	if o.File == "" {
		bad("file", "which file?")
	}
	if sum, err := hex.DecodeString(o.SHA256); err != nil || len(sum) != 0 && len(sum) != sha256.Size {
		bad("sha256", "%q is no sha256 in hex", o.SHA256)
	}
	errs = append(errs, o.Input.faults(prefix+".input")...)
	if o.Boxes != "" && o.Boxes != YOLOv5 && o.Boxes != YOLOv8 {
		bad("boxes", "%q is none of %s, %s", o.Boxes, YOLOv5, YOLOv8)
	}
	if o.Overlap < 0 || o.Overlap > 1 {
		bad("overlap", "must be 0 to 1")
	}
	if o.Activation != "" && o.Activation != Softmax && o.Activation != Sigmoid {
		bad("activation", "%q is none of %s, %s", o.Activation, Softmax, Sigmoid)
	}
	if o.Boxes != "" && o.Activation == Softmax {
		bad("activation", "the scores of boxes are each on their own: sigmoid, or none")
	}
	if len(o.Labels) == 0 {
		bad("labels", "none")
	}
	if len(o.Finds) == 0 {
		bad("finds", "none: the model would find nothing")
	}
	for label, f := range o.Finds {
		errs = append(errs, f.faults(prefix+".finds."+label)...)
		if !slices.Contains(o.Labels, label) {
			bad("finds", "%q is not among the labels", label)
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errs
}

func (f *Find) faults(prefix string) []error {
	var errs []error
	bad := func(key, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s.%s: %s", prefix, key, fmt.Sprintf(format, args...)))
	}
	known := append(slices.Clone(engines.TextCategories), engines.MediaCategories...)
	if !slices.Contains(known, f.Category) {
		bad("category", "%q is none of %v", f.Category, known)
	}
	if !subLabel.MatchString(f.SubLabel) {
		bad("sub_label", "%q is not a-z, 0-9 and underline", f.SubLabel)
	}
	if f.Severity < 1 || f.Severity > 4 {
		bad("severity", "must be 1 to 4")
	}
	if f.Threshold <= 0 || f.Threshold > 1 {
		bad("threshold", "must be above 0 and at most 1")
	}
	return errs
}

// maxOwn bounds the file of an operator's network.
const maxOwn = 1 << 30

// load reads and prepares it.
func (o *Own) load(dir string) (*own, error) {
	path := o.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxOwn {
		return nil, fmt.Errorf("%s: larger than %d MiB", o.File, maxOwn>>20)
	}
	model, err := os.ReadFile(path) //nolint:gosec // the operator's own file
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(model)
	if o.SHA256 != "" && !strings.EqualFold(hex.EncodeToString(sum[:]), o.SHA256) {
		return nil, fmt.Errorf("%s: its sha256 is %x, not %s", o.File, sum, o.SHA256)
	}
	n, err := newNetwork(onnx.New, model, o.Input)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.File, err)
	}
	made := &own{cfg: *o, sum: hex.EncodeToString(sum[:]), network: n, finds: make([]*Find, len(o.Labels))}
	for i, label := range o.Labels {
		if f, ok := o.Finds[label]; ok {
			made.finds[i] = &f
		}
	}
	return made, nil
}
