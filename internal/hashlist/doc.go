// Package hashlist reads lists of hashes of pictures in the formats in which they are
// exchanged, a line at a time, and tells what is wrong with which line. What a hash is
// for, and where it is kept, is for others.
//
// The formats: CSV by its header (as NCMEC, StopNCII and others hand out: columns pdq,
// sha256, quality among any others, or hash_type and hash_value); PDQ text as the tools
// of ThreatExchange write it (a hash a line, then its quality and whatever else behind
// commas or spaces); JSON as the ThreatExchange API answers (indicators in data, an
// array of them, or one a line); and lists of SHA-256 sums (as sha256sum prints them).
//
// MD5, SHA-1 and PhotoDNA are not taken. Files of a given MD5 or SHA-1 can be made at
// will, so a match would say nothing; PhotoDNA's algorithm is not public. A line that
// has pdq or sha256 beside them is taken by those.
package hashlist
