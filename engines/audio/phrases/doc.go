// Package phrases finds what of a list of phrases sounds much like something that a
// recogniser wrote down: what it may have misheard. It compares by sound, coarsely, as
// English spells it; whether the sound bears a phrase out is the recogniser's to say.
package phrases
