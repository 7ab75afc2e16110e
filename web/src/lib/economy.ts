// What the economy shows moderators beside verdicts: bans, and cases of its own.
// Both stand in the feed as rows that say their text plainly: no player wrote it.
import type { components } from './api.gen'
import type { BanEvent, Case, EconomyCaseEvent, FeedEvent } from './wire'
import { text } from '../i18n/text'
import { fullTime, plain } from './words'

/** How grave a risk is. */
export type Level = components['schemas']['Risk']['risk_level']
/** From which score on a level holds: the console's copy of economy/verdict.go; test/economy.test.ts compares the two. */
export const levelFrom: readonly (readonly [Level, number])[] = [['critical', 90], ['high', 75], ['suspicious', 55], ['attention', 30], ['normal', 0]]
export const levelOf = (score: number): Level => (levelFrom.find(([, from]) => score >= from) ?? ['normal' as const])[0]

export const isBan = (e: FeedEvent | BanEvent | EconomyCaseEvent): e is BanEvent => e.kind === 'ban'

const stateWord = { created: 'words.banned', lifted: 'words.ban_lifted', expired: 'words.ban_ended' } as const

export function banText(e: BanEvent): string {
  const what = e.until && e.state === 'created' ? text('words.say_ban_until', { type: plain(e.ban_type), until: fullTime(e.until) }) : text('words.say_ban', { type: plain(e.ban_type) })
  const why = e.state === 'lifted' ? e.lift_reason : e.reason
  return why ? text('words.say_with_reason', { what, why }) : what
}

export function rowOfBan(e: BanEvent): FeedEvent {
  const began = e.state === 'created'
  return {
    type: 'feed.event', event_id: e.event_id, at: e.at, app_id: e.app_id, kind: 'ban', scene_id: '', player_id: e.player_id, request_id: e.request_id,
    suggestion: began ? 'block' : 'pass', action: began ? 'drop' : 'deliver', label: [], content: '', latency_ms: 0, mode: 'real_time_block',
    other: { word: text(stateWord[e.state]), tone: began ? 'block' : 'pass', text: banText(e) },
  }
}

/** Whether a case is one of the economy's, which has no content. */
export const ofEconomy = (c: { kind?: string | undefined }): boolean => c.kind === 'risk' || c.kind === 'ban_evasion'

export const isEconomyCase = (e: FeedEvent | EconomyCaseEvent): e is EconomyCaseEvent => e.kind === 'case'

export function rowOfEconomyCase(e: EconomyCaseEvent): FeedEvent {
  const said = caseText({ kind: e.case_kind, economy: e })!
  const fell = e.change === 'fell'
  const word = fell ? (e.state === 'closed' ? text('words.risk_fell_closed') : text('words.risk_fell')) : e.change === 'rose' ? text('words.risk_rose') : said.word
  return {
    type: 'feed.event', event_id: e.event_id, at: e.at, app_id: e.app_id, kind: 'case', scene_id: '', player_id: e.player_id, request_id: e.request_id,
    suggestion: fell ? 'pass' : 'review', action: 'deliver', label: [], content: '', latency_ms: 0, mode: 'real_time_block',
    other: { ...said, word, tone: fell ? 'pass' : 'review' },
  }
}

/** What a case of the economy is about, undefined for one of content. */
export function caseText(c: Pick<Case, 'kind' | 'economy'>): FeedEvent['other'] {
  const e = c.economy
  const tone = 'review' as const
  // What players or game servers brought before people; their words are in the case.
  if (!e && (c.kind === 'report' || c.kind === 'appeal' || c.kind === 'dispute')) return { word: text(`words.kind_${c.kind}`), tone, text: text(`words.kind_${c.kind}_text`) }
  if (!e) return undefined
  if (!e.link) {
    const score = text('words.say_risk_text', { score: e.risk_score })
    if (!e.now) return { word: text('words.high_risk'), tone, text: score, ...(e.risk_factors.length ? { factors: e.risk_factors.slice(0, 3).map((f) => f.factor) } : {}) }
    const now = { text: score, score: e.now.risk_score, at: fullTime(e.now.at) }
    return { word: text('words.high_risk'), tone, text: text(e.now.fallen ? 'words.say_risk_now_fallen' : 'words.say_risk_now_risen', now) }
  }
  const l = e.link
  return {
    word: text('words.ban_evasion'), tone,
    text: text(l.by === 'voice' ? 'words.say_evasion_voice' : 'words.say_evasion_text', {
      by: l.by, banned: l.banned_player_id, banned_at: fullTime(l.banned_at), banned_seen: fullTime(l.banned_last_seen_at),
      since: fullTime(l.account_since), seen: fullTime(l.first_seen_at), accounts: l.accounts,
    }),
  }
}
