// Package worlds plays game economies of our own, with labelled villains and with
// players who look like them, and writes what their game servers would log: streams for
// `portcullis eval economy`, in the form of the shared simulator's (stream.jsonl,
// labels.jsonl and meta.json). One seed gives one world, to the last byte.
//
// None of its villains or look-alikes is one of the simulator's. They are there to
// find out what the risk model does with people it was not made for, so the model must
// not be fitted to them either: a kind that it misses is a finding.
package worlds
