// Package banks knows pictures again. A bank is a list of hashes with a category, of one
// app or of all: child-safety and extremism lists that are handed out in the industry,
// pictures that a studio does not want to see used. The Keeper has those of all apps in
// memory, in step with the store, imports lists and pictures into them, and tells which
// banks know a picture. No hash is ever handed out again. How hashes are made and found
// is for engines/image, what to make of a finding for policy.
package banks
