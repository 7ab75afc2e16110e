// Package engines holds the words that every room of Portcullis shares: the
// Item that is checked, the Signal that an engine finds in it, the Verdict that
// policy makes of the signals, and the Outcome that the desk hands back. It is
// public so that a game server written in Go can embed an engine and a policy
// without running the gateway.
//
// It leaves looking to engines/text, image, audio and video, deciding to
// engines/policy, and recording to internal/review. It imports nothing of ours.
package engines
