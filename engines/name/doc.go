// Package name looks at the names of characters and guilds for what only a name can
// have wrong: that it passes for the game's staff, looks like a name that is taken,
// can't be read or typed, or is too short or long. What its words say is the text
// engine's, which looks beside it.
//
// A claim to be staff is told by words, not by letters: a name is parted where its
// writing changes (spaces and signs, lower to upper case, letters to digits), the parts
// are read as a person reads them (look-alike letters, digits for letters, letters
// apart), and a part has to be such a word. So GM_Kevin, Adm1n and Аdmin (with a
// Cyrillic А) are told, GMail_fan, Administratum and Bigm are not, nor is who says to
// be none (NotAGM).
//
// Whether two names look alike goes by their skeletons (UTS #39 section 4): what is left
// when look-alikes are one letter and signs are gone. Whether a name can be read goes by
// the scripts that a word mixes (UTS #39 section 5.2, moderately restrictive), invisible
// characters and piles of marks.
package name
