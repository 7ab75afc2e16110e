import { describe, expect, it } from 'vitest'
import go from '../../internal/penalty/ladderfaults.go?raw'
import { allCategories } from '../src/lib/wire'
import { categories } from '../src/lib/wire'
import { climb, comparable, rulesOf, startOf, tidy, under, weigh, type LadderRules } from '../src/lib/ladder'
import { differences } from '../src/lib/layer'

const rules: LadderRules = {
  automatic: false,
  window_days: 90,
  weights: { default: [1, 2, 3, 5], spam: [1, 1], 'illegal/child_safety': [15, 15, 20, 30], illegal: [3, 5, 10, 15] },
  start: { illegal: 'mute_text' },
  steps: [
    { weight: 1, kind: 'warn' }, { weight: 5, kind: 'mute_text', hours: 24 }, { weight: 8, kind: 'mute_text', hours: 72 }, { weight: 8, kind: 'mute_voice', hours: 72 }, { weight: 30, kind: 'ban' },
    { weight: 2, kind: 'trade_lock', hours: 24, categories: ['spam'] },
  ],
  layers: { 'segment/minor': { window_days: 30, weights: { illegal: [1] }, start: {}, steps: [{ weight: 4, kind: 'warn' }] } },
}
const kinds = (r: LadderRules, category: string, label: string, severity: number, n: number) => climb(r, category, label, severity, n).map((x) => x.steps.map((s) => `${s.kind}${s.hours ?? ''}`).join('+'))

describe('the ladder', () => {
  it('weighs by the narrowest row, and by the last weight of a short one', () => {
    expect(weigh(rules, 'illegal', 'child_safety', 1)).toBe(15)
    expect(weigh(rules, 'illegal', 'drugs', 2)).toBe(5)
    expect(weigh(rules, 'spam', '', 4)).toBe(1)
    expect(weigh(rules, 'hate', '', 0)).toBe(1)
  })
  it('gives all steps of the highest weight that is reached', () => {
    expect(kinds(rules, 'harassment', '', 2, 5)).toEqual(['warn', 'warn', 'mute_text24', 'mute_text72+mute_voice72', 'mute_text72+mute_voice72'])
  })
  it('has ladders of their own for the categories that steps name', () => {
    expect(kinds(rules, 'spam', '', 1, 3)).toEqual(['', 'trade_lock24', 'trade_lock24'])
  })
  it('starts higher where it says so, unless the weight reaches more', () => {
    expect(startOf(rules, 'illegal')?.weight).toBe(5)
    expect(kinds(rules, 'illegal', '', 1, 3)).toEqual(['mute_text24', 'mute_text24', 'mute_text72+mute_voice72'])
    expect(kinds(rules, 'illegal', 'child_safety', 4, 1)).toEqual(['ban'])
  })
  it('gives nothing for what weighs nothing, whatever it starts with', () => {
    expect(kinds({ ...rules, weights: { default: [0] } }, 'illegal', '', 1, 2)).toEqual(['', ''])
  })
  it('is laid over by layers: rows one by one, with what is narrower; steps and starts as a whole', () => {
    const minor = under(rules, ['segment/minor'])
    expect(minor).toMatchObject({ window_days: 30, start: {}, steps: [{ weight: 4, kind: 'warn' }] })
    expect(weigh(minor, 'illegal', 'child_safety', 1)).toBe(1)
    expect(weigh(minor, 'hate', '', 4)).toBe(5)
    expect(under(rules, ['mode/voice'])).toEqual(rules)
  })
})

describe('a ladder that is edited', () => {
  it('is sent without whose it is', () => {
    expect(rulesOf({ ...rules, automatic: false, version: 3, by: 'ada', changed_at: 'x', code: 0, request_id: 'r' } as never)).toEqual({ ...rules, automatic: false })
  })
  it('has its steps in order, those of layers too', () => {
    const body = { steps: [{ weight: 9, kind: 'ban' }, { weight: 2, kind: 'warn' }], layers: { 'mode/voice': { steps: [{ weight: 3 }, { weight: 1 }] } } }
    expect(tidy(body)).toEqual({ steps: [{ weight: 2, kind: 'warn' }, { weight: 9, kind: 'ban' }], layers: { 'mode/voice': { steps: [{ weight: 1 }, { weight: 3 }] } } })
  })
  it('tells one step, where one differs', () => {
    const was = rulesOf({ ...rules } as never)
    const is = { ...was, steps: (was['steps'] as object[]).map((s, i) => (i === 1 ? { ...s, hours: 48 } : s)) as never }
    expect(differences(comparable(was), comparable(is))).toEqual([{ pointer: '/steps/5 mute_text/hours', was: 24, is: 48 }])
    expect(differences(comparable(was), comparable({ ...was, steps: (was['steps'] as object[]).slice(1) as never }))).toEqual([{ pointer: '/steps/1 warn', was: true }])
  })
  it('offers the categories that the gateway knows', () => {
    const media = [...(/var media = \[\]engines\.Category\{([^}]*)\}/.exec(go)?.[1] ?? '').matchAll(/"(\w+)"/g)].map((m) => m[1])
    expect(media.length).toBeGreaterThan(5)
    expect([...allCategories].sort()).toEqual([...categories, ...media].sort())
  })
})
