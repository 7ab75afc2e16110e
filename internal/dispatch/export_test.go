package dispatch

// ContentOf is contentOf, for tests of what becomes of a content.
var ContentOf = contentOf
