// The areas of the console's texts, one line each: a new folder in src/i18n is
// added here, so that the compiler knows its keys.
import type audit from './audit/en.json'
import type banks from './banks/en.json'
import type clip from './clip/en.json'
import type common from './common/en.json'
import type door from './door/en.json'
import type economy from './economy/en.json'
import type feed from './feed/en.json'
import type figures from './figures/en.json'
import type health from './health/en.json'
import type player from './player/en.json'
import type queues from './queues/en.json'
import type reports from './reports/en.json'
import type review from './review/en.json'
import type ladder from './ladder/en.json'
import type lists from './lists/en.json'
import type policies from './policies/en.json'
import type settings from './settings/en.json'
import type shell from './shell/en.json'
import type stats from './stats/en.json'
import type vault from './vault/en.json'
import type words from './words/en.json'

interface Areas {
  audit: typeof audit
  banks: typeof banks
  clip: typeof clip
  common: typeof common
  door: typeof door
  economy: typeof economy
  feed: typeof feed
  figures: typeof figures
  health: typeof health
  player: typeof player
  queues: typeof queues
  reports: typeof reports
  review: typeof review
  ladder: typeof ladder
  lists: typeof lists
  policies: typeof policies
  settings: typeof settings
  shell: typeof shell
  stats: typeof stats
  vault: typeof vault
  words: typeof words
}

/** A text: its area and its key, such as `feed.title`. */
export type TextKey = { [A in keyof Areas]: `${A}.${keyof Areas[A] & string}` }[keyof Areas]
