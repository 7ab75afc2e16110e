// Package bank finds hashes among millions: Near those of 256 bits that differ in few
// bits (perceptual hashes), Exact those that are equal (SHA-256). Both are immutable:
// adding returns a new one that shares what is old, so readers never wait. What a
// bank is for, and where its hashes come from, is for others.
package bank
