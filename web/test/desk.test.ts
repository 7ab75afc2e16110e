import { describe, expect, it } from 'vitest'
import { ApiError, UNREACHABLE } from '../src/lib/api'
import type { Calls, Case, CaseFile, Ruling } from '../src/console/review/calls'
import { Desk } from '../src/console/review/desk'

const file = (id: string, more: Partial<CaseFile> = {}): CaseFile => ({
  case_id: id, app_id: 'game', request_id: id, check_id: id, player_id: 'p', state: 'claimed', held: false, version: 2, created_at: '2026-01-01T00:00:00Z',
  assignee: 'mia', until: new Date(Date.now() + 600_000).toISOString(), context: { before: [], after: [] }, reports: [], earlier: [], penalties: [], history: [], ...more,
}) as unknown as CaseFile

const ruling: Ruling = { decision: 'reject', policy: 'spam', reason: 'r' }
const settle = () => new Promise((r) => setTimeout(r, 0))

/** A queue of cases that hears what is asked of it. */
function queue(ids: string[], mine: string[] = []) {
  const said: string[] = []
  const keys: string[] = []
  const refuse: unknown[] = []
  const calls: Calls = {
    mine: async () => mine.map((id) => file(id)),
    next: async (q) => { said.push(`next ${q}`.trim()); const id = ids.shift(); return id ? (file(id) as Case) : null },
    file: async (id) => file(id),
    move: async (id, what) => { said.push(`${what} ${id}`); return file(id) },
    decide: async (id, r, key) => {
      keys.push(key)
      const no = refuse.shift()
      if (no) throw no
      said.push(`${r.decision} ${id} v${r.version}`)
      return file(id)
    },
  }
  return { calls, said, keys, refuse }
}
const at = (d: Desk) => d.get().now?.file.case_id

describe('the desk', () => {
  it('has the next case in hand before the first is decided', async () => {
    const q = queue(['a', 'b', 'c'])
    const d = new Desk(q.calls)
    await d.begin()
    await settle()
    expect(at(d)).toBe('a')
    expect(q.said).toEqual(['next', 'next'])
    d.decide(ruling)
    expect(at(d)).toBe('b') // at once, whatever the answer
    await settle()
    expect([...q.said].sort()).toEqual(['next', 'next', 'next', 'reject a v2'])
    expect(d.get()).toMatchObject({ done: 1, sending: 0, phase: 'working' })
  })
  it('begins with what is in hand already, the one asked for first', async () => {
    const q = queue(['z'], ['a', 'b'])
    const d = new Desk(q.calls)
    await d.begin('', 'b')
    expect(at(d)).toBe('b')
    expect(q.said).toEqual([])
    expect(d.leave()).toEqual(['a'])
  })
  it('says that nothing waits, and goes on when something does', async () => {
    const ids: string[] = []
    const q = queue(ids)
    const d = new Desk(q.calls, 'abuse')
    await d.begin()
    expect(d.get().phase).toBe('empty')
    ids.push('a')
    await d.begin()
    expect(at(d)).toBe('a')
    expect(q.said).toContain('next abuse')
  })
  it('sends a decision again under the same key where the gateway was not reached', async () => {
    const q = queue(['a', 'b'])
    const d = new Desk(q.calls)
    await d.begin()
    q.refuse.push(new ApiError(UNREACHABLE, 0, 'away'))
    d.decide(ruling)
    await settle()
    expect(q.keys).toHaveLength(2)
    expect(q.keys[0]).toBe(q.keys[1])
    expect(q.said).toContain('reject a v2')
    expect(d.get().lost).toEqual([])
  })
  it('keeps a decision that was refused, and comes back to it with what was said', async () => {
    const q = queue(['a', 'b'])
    const d = new Desk(q.calls)
    await d.begin()
    await settle()
    q.refuse.push(new ApiError(1007, 409, 'it has changed'))
    d.decide(ruling)
    await settle()
    expect(q.keys).toHaveLength(1) // a refusal is an answer
    expect(d.get()).toMatchObject({ done: 0, last: null })
    expect(d.get().lost).toHaveLength(1)
    await d.again(d.get().lost[0]!)
    expect(at(d)).toBe('a')
    expect(d.get().now?.draft).toEqual(ruling)
    expect(d.get().lost).toEqual([])
    d.decide(ruling)
    expect(at(d)).toBe('b') // which waited behind it
  })
  it('takes the last decision back, and looks at its case again', async () => {
    const q = queue(['a', 'b'])
    const d = new Desk(q.calls)
    await d.begin()
    await settle()
    d.decide(ruling)
    await d.undo('again')
    expect(at(d)).toBe('a')
    expect(q.said).toEqual(expect.arrayContaining(['reject a v2', 'undo a', 'claim a']))
    expect(q.said.indexOf('reject a v2')).toBeLessThan(q.said.indexOf('undo a'))
    expect(d.get()).toMatchObject({ done: 0, last: null })
    expect(d.leave()).toEqual(['b'])
  })
  it('stays with a case that the gateway does not let go', async () => {
    const q = queue(['a', 'b'])
    const d = new Desk(q.calls)
    await d.begin()
    q.calls.move = async () => { throw new ApiError(1004, 403, 'no') }
    await expect(d.part('escalate', { reason: 'r' })).rejects.toThrow('no')
    expect(at(d)).toBe('a')
  })
  it('gives back what it claims after the person has left', async () => {
    const q = queue(['a', 'b'])
    const d = new Desk(q.calls)
    const next = q.calls.next
    let come = () => {}
    const gate = new Promise<void>((r) => { come = r })
    q.calls.next = async (of) => { if (q.said.length) await gate; return next(of) }
    await d.begin()
    expect(d.leave()).toEqual([]) // the claim of b is still on its way
    come()
    await settle()
    expect(q.said).toContain('release b')
  })
  it('renews what has less than half of its time left', async () => {
    const q = queue(['a'])
    const d = new Desk(q.calls)
    await d.begin()
    await d.renew()
    expect(q.said).not.toContain('renew a')
    await d.renew(true)
    expect(q.said).toContain('renew a')
  })
})
