// Package pictures draws the pictures that reading text is measured with: screenshots
// of games that were never made, with lines of text in six languages on them, and the
// truth about what was drawn. The same seed gives the same picture. It also holds a
// reader against that truth.
//
// Nothing in it is anybody's picture or text: scenes are made of noise and shapes, the
// lines of templates written for it. It needs the fonts of a few Debian packages, which
// `make setup` installs, and says which one is missing.
package pictures
