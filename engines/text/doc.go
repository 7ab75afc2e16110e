// Package text is the text engine: it normalises a message while it remembers
// where every rune came from, looks its words up in lexicons with one pass of an
// automaton, and applies a few rules where words are not enough.
//
// A message is seen in up to three views. The plain view holds what a reader
// sees: compatibility forms, case, accents, invisible characters and stretched
// letters folded. The evasive views, built only when they differ, also read
// look-alikes and digits as letters and join what was pulled apart. Entries are
// folded exactly as the text is, so an entry and its text always meet.
//
// The engine says what it saw and how sure it is. What to do about it is left to
// engines/policy.
package text
