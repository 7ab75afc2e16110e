import { describe, expect, it } from 'vitest'
import { rowOf, type AnyEvent } from '../src/lib/notices'
import { event } from './events'

const base = { type: 'feed.event', event_id: 'e', at: '2026-01-01T00:00:00.000Z', app_id: 'game', player_id: 'ann', request_id: '' } as const
const mute = { penalty_id: 'p', player_id: 'ann', kind: 'mute_text', reason: 'insults', by: 'ladder', status: 'active', created_at: base.at, expires_at: '2026-01-02T00:00:00.000Z' } as const
const row = (e: object) => rowOf({ ...base, ...e } as unknown as AnyEvent)

describe('what is no verdict, in the feed', () => {
  it('is a row with all that a row needs, whatever its kind', () => {
    const kinds = [{ kind: 'penalty', state: 'created', penalty: mute }, { kind: 'policy', layer: 'channel', name: 'lobby', rollout_id: 'r', state: 'stopped', step: 'partial', share: 10, why: 'x' }, { kind: 'comet' }]
    for (const e of kinds) expect(row(e)).toMatchObject({ suggestion: expect.any(String), mode: expect.any(String), label: [], content: '', other: { word: expect.any(String) } })
  })
  it('says of a penalty what, until when and why; of its end that', () => {
    expect(row({ kind: 'penalty', state: 'created', penalty: mute }).other).toMatchObject({ word: 'Chat mute', tone: 'block', text: expect.stringMatching(/^Chat mute until .*2026.*: insults$/) })
    expect(row({ kind: 'penalty', state: 'created', penalty: { ...mute, kind: 'warn', expires_at: undefined } }).other).toEqual({ word: 'Warning', tone: 'review', text: 'Warning: insults' })
    expect(row({ kind: 'penalty', state: 'lifted', penalty: { ...mute, lift_reason: 'a mistake' } }).other).toEqual({ word: 'Penalty lifted', tone: 'pass', text: 'Chat mute: a mistake' })
    expect(row({ kind: 'penalty', state: 'expired', penalty: mute }).other).toEqual({ word: 'Penalty ended', tone: 'pass', text: 'Chat mute' })
  })
  it('leads from a rollout that stopped to it', () => {
    expect(row({ kind: 'policy', layer: 'channel', name: 'vip*', rollout_id: 'r1', why: 'blocks differ' }).other).toMatchObject({ word: 'Rollout stopped', href: '#/policies/rollouts/channel/vip*/r1', text: 'Rollout of channel/vip*: blocks differ' })
  })
  it('leaves verdicts as they are', () => { const e = event({}); expect(rowOf(e)).toBe(e) })
})
