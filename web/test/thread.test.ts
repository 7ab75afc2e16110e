import { describe, expect, it } from 'vitest'
import { kept, next, type Entry, type Happening, type Own } from '../src/demo/thread'
import type { VerdictFrame } from '../src/lib/wire'

const run = (...hs: Happening[]) => hs.reduce<readonly Entry[]>(next, [])
const said = (id: string): Happening => ({ what: 'said', id, scene: 's', text: `text ${id}` })
const verdict = (v: Partial<VerdictFrame>): Happening => ({ what: 'verdict', v: { type: 'verdict', request_id: 'r1', suggestion: 'pass', action: 'deliver', categories: [], latency_ms: 2, ...v } })
const notice = (kind: 'approved' | 'rejected', request_id?: string): Happening => ({ what: 'notice', scene: 's', n: { type: 'notice', seq: 1, kind, text: 'a word', ...(request_id ? { request_id } : {}) } })
const fates = (es: readonly Entry[]) => es.filter((e): e is Own => e.is === 'own').map((e) => e.fate)

describe('the fate of one’s own message', () => {
  it('follows the action', () => {
    expect(fates(run(said('a')))).toEqual(['sending'])
    for (const [action, fate] of [['deliver', 'delivered'], ['mask', 'masked'], ['hold', 'held'], ['drop', 'blocked']] as const) {
      expect(fates(run(said('a'), verdict({ id: 'a', action })))).toEqual([fate])
    }
  })
  it('keeps what players are told: categories, time, the masked text', () => {
    expect(run(said('a'), verdict({ id: 'a', action: 'mask', categories: ['harassment'], content: 'text *' }))[0]).toMatchObject({ categories: ['harassment'], ms: 2, published: 'text *' })
  })
  it('is taken back when the deferred check says so, by verdict or by retract', () => {
    const before: Happening[] = [said('a'), verdict({ id: 'a', pending: true })]
    expect(fates(run(...before))).toEqual(['checking'])
    expect(fates(run(...before, verdict({ suggestion: 'block', action: 'drop', seq: 1 })))).toEqual(['taken back'])
    expect(fates(run(...before, { what: 'retract', r: { type: 'retract', seq: 1, scene_id: 's', message_id: 'r1', reason: '' } }))).toEqual(['taken back'])
    expect(fates(run(...before, verdict({ seq: 1 })))).toEqual(['delivered'])
  })
  it('is approved or rejected by a moderator', () => {
    const held: Happening[] = [said('a'), verdict({ id: 'a', action: 'hold' })]
    expect(fates(run(...held, notice('approved', 'r1')))).toEqual(['approved'])
    expect(fates(run(...held, notice('rejected')))).toEqual(['rejected'])
    const two: Happening[] = [...held, said('b'), verdict({ id: 'b', action: 'hold', request_id: 'r2' })]
    expect(fates(run(...two, notice('approved')))).toEqual(['held', 'held'])
    expect(fates(run(...two, notice('approved', 'r2')))).toEqual(['held', 'approved'])
  })
  it('has what was said aloud, once something was found in it', () => {
    const v = { type: 'voice.verdict', seq: 1, scene_id: 's', at_ms: 900, request_id: 'r', suggestion: 'review', action: 'deliver', categories: ['violence'], latency_ms: 200 } as const
    expect(run({ what: 'spoke', v: { ...v, categories: ['violence'] } })).toEqual([{ is: 'spoken', key: 'r', scene: 's', at: 900, suggestion: 'review', categories: ['violence'], ms: 200 }])
  })
  it('says why it was not sent', () => {
    expect(run(said('a'), { what: 'refused', id: 'a', code: 1003, message: 'x', scene: 's' })[0]).toMatchObject({ fate: 'refused', why: expect.stringContaining('Too fast') })
  })
})

describe('what others say', () => {
  const m = (message_id: string): Happening => ({ what: 'message', m: { type: 'message', seq: 1, scene_id: 's', message_id, player_id: 'bob', content: 'hi', sent_at: '' } })
  it('shows once, struck out when retracted', () => {
    const es = run(m('x'), m('x'), m('y'), { what: 'retract', r: { type: 'retract', seq: 2, scene_id: 's', message_id: 'x', reason: '' } })
    expect(es.map((e) => e.is === 'other' && e.retracted)).toEqual([true, false])
  })
  it('is bounded', () => {
    expect(run(...Array.from({ length: kept + 20 }, (_, i) => m(`${i}`)))).toHaveLength(kept)
  })
})
