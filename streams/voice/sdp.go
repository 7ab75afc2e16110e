package voice

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"

	"github.com/portcullis-gg/portcullis/engines"
	"github.com/portcullis-gg/portcullis/internal/wire"
)

const (
	// mostSDP is the longest offer: a browser's with every codec that it knows has 8 KB.
	mostSDP = 64 << 10
	// mostSections and mostCandidates bound what an offer makes us do.
	mostSections   = 16
	mostCandidates = 32
)

// checkOffer reports what is wrong with an offer, before Pion sees it. One who only listens
// may where there is something to hear.
func checkOffer(text string, relayed bool) error {
	if len(text) > mostSDP {
		return wire.Fail(wire.TooLarge, "an offer has at most "+strconv.Itoa(mostSDP)+" bytes")
	}
	var d sdp.SessionDescription
	if err := d.UnmarshalString(text); err != nil {
		return wire.Invalid("/sdp", "is not an SDP offer that can be read")
	}
	if len(d.MediaDescriptions) > mostSections {
		return wire.Invalid("/sdp", "has more than "+strconv.Itoa(mostSections)+" media sections")
	}
	candidates, opus, sends := 0, false, false
	for _, m := range d.MediaDescriptions {
		for _, a := range m.Attributes {
			if a.Key == "candidate" {
				candidates++
			}
		}
		if m.MediaName.Media != "audio" || m.MediaName.Port.Value == 0 || len(opusTypes(m)) == 0 {
			continue
		}
		opus = true
		_, only := m.Attribute("recvonly")
		_, off := m.Attribute("inactive")
		sends = sends || !only && !off
	}
	switch {
	case candidates > mostCandidates:
		return wire.Invalid("/sdp", "has more than "+strconv.Itoa(mostCandidates)+" candidates")
	case !opus:
		return wire.Invalid("/sdp", "offers no audio that is Opus (a=rtpmap:… opus/48000/2)")
	case !sends && !relayed:
		return wire.Invalid("/sdp", "offers audio that it does not send: the section is recvonly or inactive")
	}
	return nil
}

// opusTypes are the payload types of a section that are Opus.
func opusTypes(m *sdp.MediaDescription) []string {
	var list []string
	for _, a := range m.Attributes {
		if pt, codec, ok := strings.Cut(a.Value, " "); a.Key == "rtpmap" && ok && strings.HasPrefix(strings.ToLower(codec), "opus/48000") {
			list = append(list, pt)
		}
	}
	return list
}

// askFor writes into an answer how we want the sound sent: not louder in bits than
// need be, nothing in silence, one channel, each packet once more in the next where some are
// lost (redundant), and nothing above what is listened to: without the band above 8 kHz a packet costs half
// to decode, and what is left of the bits goes into the voice. Pion repeats the offer's parameters, whatever is registered. Clients name
// payload types and parameters as they like, so both are read, not matched (RFC 7587
// section 6.1).
func askFor(answer string, bitrate int) (string, error) {
	var d sdp.SessionDescription
	if err := d.UnmarshalString(answer); err != nil {
		return "", err //nolint:wrapcheck // Pion wrote it
	}
	for _, m := range d.MediaDescriptions {
		if m.MediaName.Media != "audio" {
			continue
		}
		for _, pt := range opusTypes(m) {
			setFormat(m, pt, bitrate)
		}
	}
	out, err := d.Marshal()
	return string(out), err //nolint:wrapcheck // as above
}

// setFormat sets our wishes among the parameters of a payload type, and leaves others.
func setFormat(m *sdp.MediaDescription, pt string, bitrate int) {
	wishes := []string{
		"useinbandfec=1", "usedtx=1", "stereo=0", "maxaveragebitrate=" + strconv.Itoa(bitrate), "maxplaybackrate=" + strconv.Itoa(engines.SoundRate),
	}
	isOurs := func(p string) bool {
		key, _, _ := strings.Cut(strings.TrimSpace(p), "=")
		return key == "" || slices.ContainsFunc(wishes, func(w string) bool { return strings.HasPrefix(w, key+"=") })
	}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		if of, params, ok := strings.Cut(a.Value, " "); a.Key == "fmtp" && ok && of == pt {
			list := slices.DeleteFunc(strings.Split(params, ";"), isOurs)
			a.Value = pt + " " + strings.Join(append(list, wishes...), ";")
			return
		}
	}
	m.Attributes = append(m.Attributes, sdp.Attribute{Key: "fmtp", Value: pt + " " + strings.Join(wishes, ";")})
}
