// Package policy makes the verdict: the only maker of one for content. It is
// pure: Decide is a function of the item, what the engines said or failed to
// say, the player's standing and the resolved policy.
//
// A Config is what people write, Compile makes a Set of it, Set.Resolve gives
// the Resolved rules of a scene, Decide applies them. Looking is left to the
// engines, recording and acting to internal/review.
package policy
