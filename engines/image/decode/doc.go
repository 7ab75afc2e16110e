// Package decode reads picture files that nobody can be trusted to have made. Read
// looks at the headers alone: what the content is, how large, how many frames, what it
// would take to unpack; what is over the limits is refused before a buffer is made for
// it. Frames unpacks, one frame at a time.
//
// Formats: JPEG (baseline and progressive, grey, YCbCr, RGB and CMYK), PNG and APNG
// (all depths), GIF, WebP (lossy, lossless, animated) and BMP. A frame is as viewers
// show it: upright by its EXIF orientation, and an animation's over what was shown
// before it.
//
// What viewers show of a file that is a little wrong is what players see, so that is
// looked at: a GIF that ends early is shown as far as it goes, an APNG whose frames
// contradict its header is the still that it also is. All else that is wrong is an
// engines.Refusal.
package decode
