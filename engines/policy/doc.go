// Package policy makes the verdict: the only maker of one for content. It is
// pure: Decide is a function of the item, what the engines said or failed to
// say, the player's standing and the resolved policy.
//
// A Config is what people write, Compile makes a Set of it, Set.Resolve gives
// the Resolved rules of a scene, Decide applies them. Looking is left to the
// engines, recording and acting to internal/review.
//
// # How evidence meets
//
// Evidence meets in three places, each with a bound on what it may do.
//
// Within one item: signals of one category that come by several ways (the text
// itself, what is written in a picture, what is said, how it sounds, a known file)
// make one confidence, see combine.go. An engine for images or audio takes part by
// naming its engines.Source; nothing else is to be done for it here.
//
// Within one player, over time: what was found in its earlier text, names, pictures and
// speech of the last day, and what the economy knows of it, joins the confidence of what
// the item itself is telling of, see earlier.go: each with what it counts for, fading,
// a third of the whole at most. A moderator who finds nothing wrong in it ends that.
//
// Beside that, what the player has been found guilty of moves the cut-offs, and not the
// confidence. engines.Standing carries it:
//   - Recent, violations by category of the last days (players.recent_window), of
//     text, names, images and voice alike, since a strike has a category and no
//     kind: whoever showed nudity in an avatar is read more strictly for nudity in
//     the next picture. trust.recent of them add trust.recent_stricter levels.
//   - Trust, from all strikes and clean days, fading: trust.watched and
//     trust.trusted levels, in every category.
//   - EconomyRisk, what the economy knows of the player's trades, currency and
//     devices: economy.stricter levels for what such players say (adverts, scams).
//     The other way round, adverts found in text are entries of the economy's books.
//
// None of these touches what is illegal, goes below a mandatory rule's floor, or
// counts where the caller gave a strictness. Verdict.Stricter says which of them
// made the difference, Verdict.Combined what a confidence is made of.
//
// Over people: a case has the content's context, the player's timeline and the
// alerts of the economy beside each other; a person weighs them, not a formula.
//
// The evidence of each stays apart: a decision is stored with every signal as its
// engine gave it, not with what they came to, so that another policy can be held
// against it later.
package policy
