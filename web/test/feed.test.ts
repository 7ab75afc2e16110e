import { describe, expect, it } from 'vitest'
import { noFilter } from '../src/console/feed/filter'
import { budget, capacity, FeedStore } from '../src/console/feed/store'
import { Ring } from '../src/lib/ring'
import { Sampler } from '../src/lib/sampler'
import type { Case } from '../src/lib/wire'
import { event } from './events'

/** A store whose frames and clock are the test's. */
function setup() {
  let frames: (() => void)[] = []
  const clock = { now: 1_000_000 }
  const store = new FeedStore({ frame: (f) => { frames.push(f) }, now: () => clock.now })
  const frame = () => { const due = frames; frames = []; due.forEach((f) => f()) }
  return { store, frame, clock, frames: () => frames.length }
}
const contents = (s: FeedStore) => s.get().rows.map((r) => r.content)

describe('Ring', () => {
  it('keeps the newest, newest first', () => {
    const r = new Ring<number>(3)
    const out = [1, 2, 3, 4, 5].map((n) => r.push(n))
    expect(out).toEqual([undefined, undefined, undefined, 1, 2])
    expect(r.newest()).toEqual([5, 4, 3])
    expect(r.newest((n) => n % 2 === 1)).toEqual([5, 3])
    expect(r.size).toBe(3)
  })
})

describe('Sampler', () => {
  const run = (s: Sampler, second: number, flagged: number, clean: number) => {
    let f = 0
    let c = 0
    for (let i = 0; i < flagged + clean; i++) {
      const now = second * 1000 + Math.floor((i * 1000) / (flagged + clean))
      const isFlagged = i < flagged
      if (!s.take(isFlagged, now)) continue
      if (isFlagged) f++
      else c++
    }
    return { f, c }
  }
  it('shows everything under the budget', () => {
    const s = new Sampler(100)
    expect([run(s, 10, 20, 80), run(s, 11, 0, 100)]).toEqual([{ f: 20, c: 80 }, { f: 0, c: 100 }])
    expect(s.flow.every).toBe(1)
  })
  it('thins clean passes alone when flooded, and says by how much', () => {
    const s = new Sampler(100)
    run(s, 10, 50, 950)
    const { f, c } = run(s, 11, 50, 950)
    expect(s.flow).toEqual({ rate: 1000, every: 19 })
    expect(f).toBe(50)
    expect(c).toBeGreaterThan(40)
    expect(f + c).toBeLessThanOrEqual(105)
  })
  it('thins out already within the first flooded second', () => {
    const { c } = run(new Sampler(100), 10, 0, 1000)
    expect(c).toBeLessThan(400)
  })
  it('lets go when the flood ends', () => {
    const s = new Sampler(100)
    run(s, 10, 0, 1000)
    s.tick(11_000)
    expect(s.flow.every).toBe(10)
    expect(s.tick(15_000)).toBe(true)
    expect(s.flow).toEqual({ rate: 0, every: 1 })
  })
})

describe('FeedStore', () => {
  it('tells the page once per frame, newest first', () => {
    const { store, frame, frames } = setup()
    let told = 0
    store.subscribe(() => { told++ })
    for (const content of ['a', 'b', 'c']) store.add(event({ content }))
    expect([told, frames()]).toEqual([0, 1])
    frame()
    expect(told).toBe(1)
    expect(contents(store)).toEqual(['c', 'b', 'a'])
    store.add(event({ content: 'd' }))
    frame()
    expect(contents(store)).toEqual(['d', 'c', 'b', 'a'])
  })
  it('changes less often when more comes than can be read', () => {
    const waits: number[] = []
    const clock = { now: 1_000_000 }
    const store = new FeedStore({ frame: (f, wait) => { waits.push(wait); f() }, now: () => clock.now })
    for (let i = 0; i < 100; i++) store.add(event({}))
    clock.now += 1000
    store.add(event({}))
    expect(waits[0]).toBe(0)
    expect(waits.at(-1)).toBeGreaterThan(100)
  })
  it('stands still while held and counts what matches', () => {
    const { store, frame } = setup()
    store.setFilter({ ...noFilter, suggestion: ['block'] })
    store.add(event({ suggestion: 'block', content: 'a' }))
    frame()
    store.setHeld(true)
    store.add(event({ suggestion: 'block', content: 'b' }))
    store.add(event({ suggestion: 'pass', content: 'c' }))
    frame()
    expect(contents(store)).toEqual(['a'])
    expect(store.get().fresh).toBe(1)
    store.setHeld(false)
    expect(contents(store)).toEqual(['b', 'a'])
    expect(store.get().fresh).toBe(0)
    store.setFilter(noFilter)
    expect(contents(store)).toEqual(['c', 'b', 'a'])
  })
  it('is bounded, also when no frame comes', () => {
    const { store, frame, clock } = setup()
    for (let i = 0; i < capacity + 500; i++) {
      if (i % budget === 0) clock.now += 1000
      store.add(event({ suggestion: 'block', content: `${i}` }))
    }
    frame()
    expect(store.get().rows).toHaveLength(capacity)
    expect(store.get().rows[0]?.content).toBe(`${capacity + 499}`)
    expect(store.get().total).toBe(capacity + 500)
  })
  it('never samples what was flagged', () => {
    const { store, frame } = setup()
    for (let i = 0; i < 2000; i++) store.add(event({ suggestion: i % 10 === 0 ? 'review' : 'pass' }))
    frame()
    expect(store.get().rows.filter((r) => r.suggestion === 'review')).toHaveLength(200)
    expect(store.get().rows.length).toBeLessThan(2000)
  })
  it('takes in open cases once, in their place in time', () => {
    const { store, frame } = setup()
    store.add(event({ content: 'now', case_id: 'c2', at: '2026-01-02T00:00:00Z' }))
    frame()
    const old: Case = { case_id: 'c1', app_id: 'app', request_id: 'r', check_id: 'r', player_id: 'p', state: 'open', held: true, version: 3, created_at: '2026-01-01T00:00:00Z', content: 'before' }
    store.seed([old, { ...old, case_id: 'c2' }])
    store.seed([old])
    expect(contents(store)).toEqual(['now', 'before'])
    expect(store.get().rows[1]).toMatchObject({ action: 'hold', case_id: 'c1', case_version: 3, partial: false })
  })
  it('shows a decision on the row, held or not', () => {
    const { store, frame } = setup()
    store.add(event({ case_id: 'c1' }))
    frame()
    store.setHeld(true)
    store.decide('c1', { decision: 'reject', by: 'mod' })
    frame()
    expect(store.get().rows[0]?.decided).toEqual({ decision: 'reject', by: 'mod' })
    store.setHeld(false)
    expect(store.get().rows[0]?.decided).toEqual({ decision: 'reject', by: 'mod' })
  })
  it('does not move the rows when it is held, whatever waits', () => {
    const { store, frame } = setup()
    store.add(event({ content: 'a' }))
    frame()
    store.add(event({ content: 'b' }))
    store.setHeld(true)
    frame()
    expect(contents(store)).toEqual(['a'])
    expect(store.get().fresh).toBe(1)
  })
  it('knows which cases are open as far as it has been told', () => {
    const { store, frame } = setup()
    for (const case_id of ['c1', 'c2', undefined]) store.add(event(case_id ? { case_id } : {}))
    frame()
    store.decide('c1', {})
    expect(store.openCases()).toEqual(['c2'])
  })
  it('adds up what the gateway dropped', () => {
    const { store, frame } = setup()
    store.drop(3)
    store.drop(4)
    frame()
    expect(store.get().dropped).toBe(7)
  })
})
