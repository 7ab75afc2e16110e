// Package acoustic measures what of a sound is not as it should be and needs no words to
// know: too loud, clipped, noise, hum, a tone, music, the same sound again and again, a
// scream, another's voice heard again, a microphone that nobody speaks into. A Meter is
// fed the sound of one voice or file in steps of 20 ms and gives stretches of it
// (engines.Anomaly), each with what was measured and what it had to pass. It allocates
// nothing while it runs. Whether that is a fault, and what follows, is the policy's word.
//
// Where somebody speaks is the word of a voice activity detector (engines/audio/vad),
// which the caller passes on with Meter.Speech; without it music is held to a stricter
// measure and an open microphone isn't found.
package acoustic
