package text

// turned are the letters that a reader sees when a text is turned upside down, by
// the letter that stands there.
var turned = map[rune]rune{
	'ɐ': 'a', 'q': 'b', 'ɔ': 'c', 'p': 'd', 'ǝ': 'e', 'ə': 'e', 'ɟ': 'f', 'ƃ': 'g', 'ɓ': 'g', 'ɥ': 'h', 'ᴉ': 'i', 'ı': 'i', 'i': 'i', 'ɾ': 'j', 'ʞ': 'k', 'l': 'l', 'ʃ': 'l', '˥': 'l',
	'ɯ': 'm', 'u': 'n', 'o': 'o', 'd': 'p', 'b': 'q', 'ɹ': 'r', 's': 's', 'ʇ': 't', 'n': 'u', 'ʌ': 'v', 'ʍ': 'w', 'x': 'x', 'ʎ': 'y', 'z': 'z',
	'∀': 'a', 'Ɔ': 'c', 'Ǝ': 'e', 'Ⅎ': 'f', '⅁': 'g', '⅂': 'l', 'ʟ': 'l', 'Ԁ': 'p', 'ᴚ': 'r', '⊥': 't', '∩': 'u', 'Λ': 'v', '⅄': 'y',
}
