package wire

import (
	"time"

	"github.com/portcullis-gg/portcullis/engines"
)

// FeedEvent is one verdict as moderators see it live.
type FeedEvent struct {
	ID          string
	At          time.Time
	App         engines.AppID
	Kind        engines.Kind
	Scene       engines.SceneID
	Player      engines.PlayerID
	Request     engines.RequestID
	Verdict     engines.Verdict
	Content     string
	Took        time.Duration
	Case        engines.CaseID
	CaseVersion int
	// Use and Media are of a picture or a sound; Media may be nil.
	Use   engines.Use
	Media *engines.MediaFacts
}

// AppendFeedEvent appends a feed.event message.
func AppendFeedEvent(dst []byte, e *FeedEvent) []byte {
	v := &e.Verdict
	dst = open(dst, "feed.event", "")
	dst = appendString(append(dst, `,"event_id":`...), e.ID)
	dst = appendString(append(dst, `,"at":`...), FormatTime(e.At))
	dst = appendString(append(dst, `,"app_id":`...), string(e.App))
	dst = appendString(append(dst, `,"kind":`...), string(e.Kind))
	dst = appendString(append(dst, `,"scene_id":`...), string(e.Scene))
	dst = appendString(append(dst, `,"player_id":`...), string(e.Player))
	dst = appendString(append(dst, `,"request_id":`...), string(e.Request))
	dst = appendString(append(dst, `,"suggestion":`...), string(v.Suggestion))
	dst = appendString(append(dst, `,"action":`...), string(v.Action))
	dst = appendLabels(append(dst, `,"label":`...), v.Labels)
	dst = appendUnacted(appendUnacted(dst, "observed", v.Observed), "shadow", v.Shadow)
	dst = appendSpans(append(dst, `,"hits":`...), e.Content, v.Hits, nil, CodePoints)
	dst = appendString(append(dst, `,"content":`...), e.Content)
	if v.Action == engines.Mask {
		dst = appendString(append(dst, `,"masked":`...), v.Masked)
	}
	dst = appendInt(append(dst, `,"latency_ms":`...), e.Took.Milliseconds())
	dst = appendInt(append(dst, `,"latency_us":`...), e.Took.Microseconds())
	dst = appendString(append(dst, `,"mode":`...), string(v.Mode))
	if e.Case != "" {
		dst = appendString(append(dst, `,"case_id":`...), string(e.Case))
		dst = appendInt(append(dst, `,"case_version":`...), int64(e.CaseVersion))
	}
	if v.Warn {
		dst = append(dst, `,"warn":true`...)
	}
	if v.Degraded {
		dst = append(dst, `,"degraded":true`...)
	}
	dst = appendCombined(Some(dst, "stricter", v.Stricter), v.Combined)
	if e.Use != "" {
		dst = AppendUse(dst, e.Use, e.Media, false)
	}
	return append(dst, '}')
}

// AppendFinding appends what was checked and what was found in it, as members of
// a case. Where callers must not act, what was observed stands in their place: a
// moderator is to see it.
func AppendFinding(dst []byte, content, language string, v *engines.Verdict, took time.Duration) []byte {
	dst = Str(dst, "content", content)
	if language != "" {
		dst = Str(dst, "language", language)
	}
	found := v.Found()
	dst = Str(Str(dst, "suggestion", string(found.Suggestion)), "action", string(v.Action))
	dst = Str(dst, "mode", string(v.Mode))
	dst = appendLabels(append(dst, `,"label":`...), found.Labels)
	dst = appendSpans(append(dst, `,"hits":`...), content, v.Hits, nil, CodePoints)
	dst = appendUnacted(dst, "shadow", v.Shadow)
	dst = Some(Num(dst, "latency_ms", took.Milliseconds()), "stricter", v.Stricter)
	return appendCombined(dst, v.Combined)
}

// AppendUse appends what a picture or a sound is for and what was learned of it; of a
// sound, the words with their times and the waveform where all is asked for.
func AppendUse(dst []byte, use engines.Use, f *engines.MediaFacts, all bool) []byte {
	dst = Str(dst, "use", string(use))
	if f != nil {
		dst = appendMedia(append(dst, `,"media":`...), f, tell{words: all, peaks: all})
	}
	return dst
}

// AppendFeedDropped appends how many events a slow moderator has missed.
func AppendFeedDropped(dst []byte, n int) []byte {
	return append(appendInt(append(open(dst, "feed.dropped", ""), `,"n":`...), int64(n)), '}')
}
