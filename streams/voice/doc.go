// Package voice listens to live calls: over WebRTC (it is the only package that
// knows Pion), over the binary frames of a game server's own voice bridge, and over
// LiveKit's track egress. It puts a call's packets in order, decodes them to 16 kHz
// mono, measures them, finds where somebody speaks, and takes windows of that to the
// desk. What was said and what it means is the engines' and the policy's; who may
// call is the door's.
//
//	packet → ring → jitter buffer → decoder → meter, speech → window → desk → verdict
//
// A packet stops at the meter: what reads the network only copies it into a ring, a
// few workers take it from there, and windows wait in a mailbox of their call, so that
// no packet ever waits for an engine. The way of a packet is one call's alone and one
// worker's at a time; nothing in it needs a lock but the ring and the archive.
package voice
