// What the economy shows moderators beside verdicts: bans, and cases of its own.
// Both stand in the feed as rows that say their text plainly: no player wrote it.
import type { BanEvent, Case, EconomyCaseEvent, FeedEvent } from './wire'
import { fullTime, plain } from './words'

export const isBan = (e: FeedEvent | BanEvent | EconomyCaseEvent): e is BanEvent => e.kind === 'ban'

const stateWord = { created: 'Banned', lifted: 'Ban lifted', expired: 'Ban ended' } as const

export function banText(e: BanEvent): string {
  const what = `${plain(e.ban_type)} ban${e.until && e.state === 'created' ? ` until ${fullTime(e.until)}` : ''}`
  const why = e.state === 'lifted' ? e.lift_reason : e.reason
  return why ? `${what}: ${why}` : what
}

export function rowOfBan(e: BanEvent): FeedEvent {
  const began = e.state === 'created'
  return {
    type: 'feed.event', event_id: e.event_id, at: e.at, app_id: e.app_id, kind: 'ban', scene_id: '', player_id: e.player_id, request_id: e.request_id,
    suggestion: began ? 'block' : 'pass', action: began ? 'drop' : 'deliver', label: [], content: '', latency_ms: 0, mode: 'real_time_block',
    other: { word: stateWord[e.state], tone: began ? 'block' : 'pass', text: banText(e) },
  }
}

export const isEconomyCase = (e: FeedEvent | EconomyCaseEvent): e is EconomyCaseEvent => e.kind === 'case'

export function rowOfEconomyCase(e: EconomyCaseEvent): FeedEvent {
  const said = caseText({ kind: e.case_kind, economy: e })!
  const fell = e.change === 'fell'
  const word = fell ? (e.state === 'closed' ? 'Risk fell, case closed' : 'Risk fell') : e.change === 'rose' ? 'Risk rose again' : said.word
  return {
    type: 'feed.event', event_id: e.event_id, at: e.at, app_id: e.app_id, kind: 'case', scene_id: '', player_id: e.player_id, request_id: e.request_id,
    suggestion: fell ? 'pass' : 'review', action: 'deliver', label: [], content: '', latency_ms: 0, mode: 'real_time_block',
    other: { word, tone: fell ? 'pass' : 'review', text: said.text },
  }
}

/** What a case of the economy is about, undefined for one of content. */
export function caseText(c: Pick<Case, 'kind' | 'economy'>): FeedEvent['other'] {
  const e = c.economy
  if (!e) return undefined
  const tone = 'review' as const
  if (!e.link) {
    const why = e.risk_factors.slice(0, 3).map((f) => plain(f.factor)).join(', ')
    const since = e.now ? (e.now.fallen ? `; fell to ${e.now.risk_score} by ${fullTime(e.now.at)}` : `; fell, and rose to ${e.now.risk_score} again by ${fullTime(e.now.at)}`) : ''
    return { word: 'High risk', tone, text: `Economy risk ${e.risk_score} of 100${why ? `: ${why}` : ''}${since}` }
  }
  const l = e.link
  return {
    word: 'Ban evasion?', tone,
    text: `Uses ${l.by === 'device' ? 'a device' : 'an address'} of ${l.banned_player_id}, banned ${fullTime(l.banned_at)} and last seen on it ${fullTime(l.banned_last_seen_at)}; ` +
      `this account is from ${fullTime(l.account_since)} and was first seen on it ${fullTime(l.first_seen_at)}. ${l.accounts} accounts use it.`,
  }
}
