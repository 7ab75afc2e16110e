package spoken

// AsWritten is the words as they would have been written.
func AsWritten(words []Word) *Text { return AsHeard(words) }
