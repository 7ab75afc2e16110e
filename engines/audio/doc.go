// Package audio looks at sound, as files and as windows of live calls: it has a file
// decoded, loudness and noise measured, stretches of speech found and written down, and
// what was said judged by the engine of text, each finding with its place in time. All
// of that is injected (deps.go): what is missing is not detected, and an error says so.
// No speech, no verdict: text counts only where a voice is heard and the recogniser is
// sure (engines/audio/speech).
package audio
