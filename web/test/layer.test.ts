import { describe, expect, it } from 'vitest'
import go from '../../engines/acoustic.go?raw'
import { acoustic } from '../src/lib/acoustic'
import { at, differences, faultsAt, homeless, leaves, nextStep, others, pointer, put, questionOf, sidesOf, stepOf, storedAs, within } from '../src/lib/layer'

describe('put', () => {
  it('sets and takes out without touching what it was given', () => {
    const was = { categories: { spam: { strictness: 3, action: 'review' } } }
    const is = put(was, '/categories/spam/strictness', 5)
    expect(at(is, '/categories/spam/strictness')).toBe(5)
    expect(was.categories.spam.strictness).toBe(3)
    expect(put(put(is, '/categories/spam/strictness', undefined), '/categories/spam/action', undefined)).toEqual({})
  })
  it('escapes names', () => {
    expect(pointer('a/b', 'c~d', 0)).toBe('/a~1b/c~0d/0')
    expect(at(put({}, pointer('a/b', 'x'), 1), pointer('a/b', 'x'))).toBe(1)
  })
})

describe('differences', () => {
  it('tells settings by pointer and words by their term', () => {
    const changes = differences(
      { strictness: 3, prohibited: ['old', { term: 'same', note: 'a' }], categories: { spam: { action: 'mask' } }, lists: ['a'] },
      { prohibited: [{ term: 'same', note: 'b' }, 'new'], categories: { spam: { action: 'mask', enabled: false } }, lists: ['a'] },
    )
    expect(changes).toEqual([
      { pointer: '/categories/spam/enabled', is: false },
      { pointer: '/prohibited/new', is: 'new' },
      { pointer: '/prohibited/old', was: 'old' },
      { pointer: '/prohibited/same', was: { term: 'same', note: 'a' }, is: { term: 'same', note: 'b' } },
      { pointer: '/strictness', was: 3 },
    ])
  })
  it('says nothing where nothing differs', () => expect(differences({ a: { b: [1] } }, { a: { b: [1] } })).toEqual([]))
})

describe('faults', () => {
  const faults = [{ pointer: '/categories/spam/strictness', reason: 'x' }, { pointer: '/trust/watched', reason: 'y' }]
  it('stand at their field, or above all', () => {
    expect(faultsAt(faults, '/categories/spam')).toHaveLength(1)
    expect(faultsAt(faults, '/categories/spa')).toHaveLength(0)
    expect(homeless(faults, ['/categories'])).toEqual([faults[1]])
  })
  it('lose the prefix of what they were sent in', () => expect(within([{ pointer: '/body/mode', reason: 'x' }], '/body')[0]?.pointer).toBe('/mode'))
})

describe('rollouts', () => {
  it('go through the shares', () => {
    expect(nextStep({ state: 'draft', share: 0 })).toBe('tested')
    expect(nextStep({ state: 'shadow', share: 0 })).toBe('1')
    expect(nextStep({ state: 'partial', share: 50 })).toBe('100')
    expect(nextStep({ state: 'partial', share: 100 })).toBe('live')
    expect(nextStep({ state: 'live', share: 100 })).toBeUndefined()
  })
  it('go on where they were paused, and not at all once stopped', () => {
    expect(nextStep({ state: 'paused', step: 'partial', share: 10 })).toBe('10')
    expect(stepOf({ state: 'stopped', step: 'shadow', share: 0 })).toBe('shadow')
    expect(nextStep({ state: 'stopped', step: 'shadow', share: 0 })).toBeUndefined()
    expect(nextStep({ state: 'proposed', share: 0 })).toBeUndefined()
  })
})

describe('layers', () => {
  it('are asked about by what they hold for', () => {
    expect(questionOf('region', 'lang:ja')).toEqual({ language: 'ja' })
    expect(questionOf('channel', 'vip*')).toEqual({ scene_id: 'vip1' })
    expect(storedAs('language', 'ja')).toEqual({ layer: 'region', name: 'lang:ja' })
  })
})

describe('sidesOf', () => {
  const none = { decisions: 0, pass: 0, review: 0, block: 0 }
  const pairs = [{ live: 'review', draft: 'block', decisions: 4 }, { live: 'pass', draft: 'pass', decisions: 8 }]
  it('takes the draft of shadow from what both say of the same items', () => {
    const s = sidesOf({ live: { ...none, decisions: 12, pass: 8, review: 4 }, draft: none, pairs })
    expect(s.draft).toEqual({ decisions: 12, pass: 8, review: 0, block: 4, block_share: 4 / 12, review_share: 0 })
    expect(s.live.review_share).toBeCloseTo(1 / 3)
    expect(s.same).toBe(true)
  })
  it('leaves shares of players as they were counted', () => {
    const draft = { ...none, decisions: 3, pass: 3 }
    expect(sidesOf({ live: none, draft, pairs }).draft).toBe(draft)
  })
})

describe('settings without a field of their own', () => {
  const body = { mode: 'pre_review', trust: { watched: 2 }, history: { window: '7d', weights: { hate: 2 } }, odd: [1, 2] }
  it('are told one by one, lists whole', () => expect(leaves(body)).toEqual(['/mode', '/trust/watched', '/history/window', '/history/weights/hate', '/odd']))
  it('are those that are set, inherited or known, and that no field shows', () => {
    expect(others(body, ['/trust/recent', '/mode'], ['/trust/watched'], ['/mode'])).toEqual(['/trust/watched', '/trust/recent', '/history/window', '/history/weights/hate', '/odd'])
  })
})

it('has a field for every threshold of sound that the gateway has', () => {
  const list = go.slice(go.indexOf('var AcousticLimits'), go.indexOf('func level'))
  const want: Record<string, string[]> = {}
  for (const [, kind, key] of list.matchAll(/"(\w+)", "(\w+)"/g)) (want[kind as string] ??= []).push(key as string)
  expect(Object.keys(want).length).toBeGreaterThan(8)
  expect(acoustic).toEqual(want)
})
