package dispatch

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/store"
)

// version is that of the forms below. It changes when a worker of the former one could
// misread a job, or a gateway a reply; a field more is no such change.
const version = 1

// job is what a worker is told of an item beside its content.
type job struct {
	App         engines.AppID
	Request     engines.RequestID
	Text        string
	Language    string
	StrictLevel int
	Segment     string
	Region      string
	// Media is set where the payload is a file, else there is none.
	Media bool
	Type  string
	Use   engines.Use
	// Acoustic is what its policy says of thresholds, of a file of sound.
	Acoustic *engines.AcousticOver
	// Sound is set of a window of a live call, whose sound the worker makes of the file.
	Sound *sound
}

// sound is what a worker is told of a window.
type sound struct {
	OffsetMS  int64
	ClipMS    int64
	Partial   bool
	Paused    bool
	Anomalies []engines.Anomaly
}

// result is what a worker replies.
type result struct {
	Signals []engines.Signal
	Facts   *engines.MediaFacts
	Refusal *engines.Refusal
	// Failed says why the item was not, or not wholly, looked at; "" where it was.
	// It never holds content.
	Failed string
	// Late is set where the engine did not end in time.
	Late bool
}

// write makes the job of an item.
func write(item *engines.Item) (meta, payload []byte, err error) {
	j := job{
		App: item.App, Request: item.RequestID, Text: item.Text, Language: item.Language,
		StrictLevel: item.StrictLevel, Segment: item.Segment, Region: item.Region,
	}
	if item.Media != nil {
		j.Media, j.Type, j.Use = true, item.Media.Type, item.Media.Use
		payload = item.Media.Bytes
		if s := item.Media.Sound; s != nil {
			j.Sound = &sound{s.OffsetMS, s.ClipMS, s.Partial, s.Paused, s.Anomalies}
		} else {
			j.Acoustic = item.Acoustic
		}
	}
	if meta, err = json.Marshal(&j); err != nil {
		return nil, nil, fmt.Errorf("write job: %w", err)
	}
	return meta, payload, nil
}

// errVersion: the other side speaks another version.
var errVersion = errors.New("written by another version of portcullis")

// read makes the item of a job.
func read(w *store.JobWork) (*engines.Item, error) {
	if w.Version != version {
		return nil, fmt.Errorf("%w: the job has form %d, this worker reads %d", errVersion, w.Version, version)
	}
	var j job
	if err := json.Unmarshal(w.Meta, &j); err != nil {
		return nil, errors.New("the job can't be read") // the error may quote it
	}
	item := &engines.Item{
		RequestID: j.Request, App: j.App, Kind: w.Kind, Text: j.Text, Language: j.Language,
		StrictLevel: j.StrictLevel, Segment: j.Segment, Region: j.Region, Acoustic: j.Acoustic,
	}
	if j.Media {
		item.Media = &engines.Media{Bytes: w.Payload, Type: j.Type, Use: j.Use}
		if s := j.Sound; s != nil {
			item.Media.Sound = &engines.Sound{OffsetMS: s.OffsetMS, ClipMS: s.ClipMS, Partial: s.Partial, Paused: s.Paused, Anomalies: s.Anomalies}
		}
	}
	return item, nil
}

// failure is an error that came from a worker.
type failure struct {
	worker, what string
}

func (f *failure) Error() string { return "worker " + f.worker + ": " + f.what }
