// Package classify has neural networks look at whole pictures: those of the manifest
// for nudity and gore, and an operator's own, which configuration describes. Each is
// an image.Detector. Set loads what is there and says on a models.Board what became
// of the rest; a picture is never refused because a model is missing.
//
// A network gives numbers that its author chose to call probabilities. Where two look
// for the same thing their opinions are pooled, since what only one of them sees is
// most often a mistake.
package classify
