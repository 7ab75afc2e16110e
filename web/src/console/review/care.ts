// Care for the person who looks: what is covered until it is asked for, and when a
// break is due. What is kept of it stays in this browser; of the exposure count the
// gateway tells nobody else.
import { Store } from '../../lib/store'
import type { Case } from './calls'

export interface Care {
  /** Pictures are blurred, and without colour, until they are asked for. */
  blur: boolean
  grey: boolean
  /** Sound is off until it is asked for. */
  mute: boolean
  /** Words are covered too. */
  words: boolean
  /** Minutes of work after which a break is proposed; 0 never. */
  breakAfter: number
}

const careKey = 'portcullis.care'
export const usualCare: Care = { blur: true, grey: true, mute: true, words: false, breakAfter: 50 }
/** The choices for breakAfter. */
export const breaks = [0, 25, 50, 90] as const

export function readCare(text: string | null): Care {
  try {
    const v = JSON.parse(text ?? '{}') as Partial<Care>
    return {
      blur: v.blur !== false, grey: v.grey !== false, mute: v.mute !== false, words: v.words === true,
      breakAfter: breaks.find((b) => b === v.breakAfter) ?? usualCare.breakAfter,
    }
  } catch {
    return usualCare
  }
}

const stored = (key: string): string | null => { try { return localStorage.getItem(key) } catch { return null } }
const keep = (key: string, value: unknown) => { try { localStorage.setItem(key, JSON.stringify(value)) } catch { /* kept for this page alone */ } }

export const care = new Store<Care>(readCare(stored(careKey)))
export function setCare(change: Partial<Care>): void {
  const next = { ...care.get(), ...change }
  keep(careKey, next)
  care.set(next)
}

/** An unbroken stretch of work. */
export interface Stretch { since: number; seen: number; later: number }

/** Away for so long is a break. */
const breakIs = 5 * 60_000
/** Who puts a break off is asked again after so long. */
const again = 15 * 60_000

/** The stretch after a sign of work at a time. */
export const worked = (s: Stretch, now: number): Stretch => (now - s.seen > breakIs || s.since === 0 ? { since: now, seen: now, later: 0 } : { ...s, seen: now })
export const putOff = (s: Stretch, now: number): Stretch => ({ ...s, later: now + again })
/** Minutes worked where a break is due, else 0. */
export function breakDue(s: Stretch, now: number, after: number): number {
  const minutes = Math.floor((s.seen - s.since) / 60_000)
  return after > 0 && minutes >= after && now >= s.later ? minutes : 0
}

const stretchKey = 'portcullis.stretch'
function readStretch(): Stretch {
  try {
    const v = JSON.parse(stored(stretchKey) ?? '{}') as Partial<Stretch>
    return { since: Number(v.since) || 0, seen: Number(v.seen) || 0, later: Number(v.later) || 0 }
  } catch {
    return { since: 0, seen: 0, later: 0 }
  }
}
export const stretch = new Store<Stretch>(readStretch())
export function setStretch(s: Stretch): void {
  keep(stretchKey, s)
  stretch.set(s)
}

/** Categories whose content is hard to bear; the exposure count is of them. */
export const hard: readonly string[] = ['violence', 'sexual', 'hate', 'illegal', 'gore', 'nudity', 'child_safety', 'extremism']
const gravest: readonly string[] = ['child_safety', 'extremism', 'gore']

/** What needs a step more, both to be seen and to be decided. */
export const dangerous = (c: Pick<Case, 'category' | 'sub_label' | 'severity'>): boolean =>
  gravest.includes(c.category ?? '') || c.sub_label === 'child_safety' || (c.severity ?? 0) >= 4
