// What stands in the feed beside verdicts: penalties, rollouts that stopped by
// themselves, and whatever a later gateway tells of that this page does not know yet.
import type { AnomalyEvent, BanEvent, EconomyCaseEvent, FeedEvent, PenaltyEvent, PolicyEvent } from './wire'
import { text } from '../i18n/text'
import { isAnomaly, rowOfAnomaly } from './anomaly'
import { isBan, isEconomyCase, rowOfBan, rowOfEconomyCase } from './economy'
import { fullTime, plain } from './words'

export type AnyEvent = FeedEvent | BanEvent | EconomyCaseEvent | AnomalyEvent | PenaltyEvent | PolicyEvent

const isPenalty = (e: AnyEvent): e is PenaltyEvent => e.kind === 'penalty'
const isPolicy = (e: AnyEvent): e is PolicyEvent => e.kind === 'policy'
const isVerdict = (e: AnyEvent): e is FeedEvent => 'suggestion' in e && 'mode' in e

/** The row of an event of any kind. */
export function rowOf(e: AnyEvent): FeedEvent {
  if (isAnomaly(e as AnomalyEvent)) return rowOfAnomaly(e as AnomalyEvent)
  if (isBan(e as BanEvent)) return rowOfBan(e as BanEvent)
  if (isEconomyCase(e as EconomyCaseEvent)) return rowOfEconomyCase(e as EconomyCaseEvent)
  if (isPenalty(e)) return row(e, penalty(e), e.state === 'created' ? 'block' : 'pass')
  if (isPolicy(e)) return row(e, stopped(e), 'review')
  if (isVerdict(e)) return e
  const other = e as AnyEvent
  return row(other, { word: plain(other.kind), tone: 'pass', text: text('words.say_unknown') }, 'pass')
}

function row(e: AnyEvent, other: NonNullable<FeedEvent['other']>, suggestion: FeedEvent['suggestion']): FeedEvent {
  return {
    type: 'feed.event', event_id: e.event_id, at: e.at, app_id: e.app_id, kind: e.kind, scene_id: '', player_id: e.player_id ?? '', request_id: e.request_id ?? '',
    suggestion, action: suggestion === 'block' ? 'drop' : 'deliver', label: [], content: '', latency_ms: 0, mode: 'real_time_block', other,
  }
}

function penalty({ state, penalty: p }: PenaltyEvent): NonNullable<FeedEvent['other']> {
  const kind = plain(p.kind)
  if (state !== 'created') {
    const why = state === 'lifted' ? p.lift_reason : ''
    return { word: text(state === 'lifted' ? 'words.penalty_lifted' : 'words.penalty_ended'), tone: 'pass', text: why ? text('words.say_with_reason', { what: kind, why }) : kind }
  }
  const what = p.expires_at ? text('words.say_until', { what: kind, until: fullTime(p.expires_at) }) : kind
  return { word: kind, tone: p.kind === 'warn' ? 'review' : 'block', text: text('words.say_with_reason', { what, why: p.reason }) }
}

const stopped = (e: PolicyEvent): NonNullable<FeedEvent['other']> => ({
  word: text('words.rollout_stopped'), tone: 'block', href: `#/policies/rollouts/${[e.layer, e.name, e.rollout_id].map(encodeURIComponent).join('/')}`,
  text: text('words.say_with_reason', { what: text('words.say_rollout', { layer: `${e.layer}/${e.name}` }), why: e.why }),
})
