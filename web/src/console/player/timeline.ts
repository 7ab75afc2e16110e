// One line of time out of what the gateway knows of a player and what the game
// logged of it. Both lists come in pages, newest first: what lies below the last
// entry of a list that goes on is kept back until that list's next page is here,
// so that nothing appears above what was already read.
import type { components } from '../../lib/api.gen'

type Schemas = components['schemas']
export type Known = Schemas['PlayerTimeline']['events'][number]
export type Logged = Schemas['Timeline']['entries'][number] & Record<string, unknown>
export type Lane = 'chat' | 'voice' | 'image' | 'trade' | 'report' | 'penalty' | 'case'
export const lanes: readonly Lane[] = ['chat', 'voice', 'image', 'trade', 'report', 'penalty', 'case']

export interface Moment { key: string; at: string; lane: Lane; known?: Known; logged?: Logged }

function laneOf(e: Known): Lane {
  if (e.kind === 'penalty' || e.kind === 'strike') return 'penalty'
  if (e.kind === 'report') return 'report'
  if (e.kind === 'case') return 'case'
  const kind = e.decision?.kind
  return kind === 'audio' || kind === 'voice' ? 'voice' : kind === 'image' ? 'image' : 'chat'
}

function keyOf(e: Known): string {
  return [e.kind, e.penalty?.penalty_id ?? e.strike?.strike_id ?? e.case?.case_id ?? e.report?.report_id ?? e.decision?.request_id, e.at].join(' ')
}

export interface Source<T> { rows: readonly T[]; more: boolean }

/** Both lists as one, newest first. */
export function merge(known: Source<Known>, logged: Source<Logged>): Moment[] {
  const a: Moment[] = known.rows.map((e) => ({ key: keyOf(e), at: e.at, lane: laneOf(e), known: e }))
  const b: Moment[] = logged.rows.map((e) => ({ key: `${e.log} ${e.log_id}`, at: new Date(e.timestamp).toISOString(), lane: e.log === 'advert' ? 'chat' : 'trade', logged: e }))
  const floor = [known.more && a.at(-1)?.at, logged.more && b.at(-1)?.at].filter((x): x is string => Boolean(x)).sort().at(-1) ?? ''
  const seen = new Set<string>()
  return [...a, ...b]
    .filter((m) => +new Date(m.at) >= (floor ? +new Date(floor) : -Infinity) && !seen.has(m.key) && seen.add(m.key))
    .sort((x, y) => +new Date(y.at) - +new Date(x.at))
}
