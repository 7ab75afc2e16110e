import { describe, expect, it } from 'vitest'
import type { CaseFile } from '../src/console/review/calls'
import { breakDue, dangerous, putOff, readCare, usualCare, worked } from '../src/console/review/care'
import { firstSight, nextSight } from '../src/console/review/CaseBody'
import { choose, missing, rulingOf } from '../src/console/review/Decision'
import { templates } from '../src/console/review/templates'

const file = (more: Partial<CaseFile> = {}) => ({ case_id: 'c', category: 'harassment', severity: 2, content_kind: 'text', ...more }) as CaseFile
const say = (key: string) => `said ${key}`

describe('a decision', () => {
  it('rests on the first of the usual reasons and the rule that was found', () => {
    const c = choose(file({ sub_label: 'insult' }), 'reject', 0, say)
    expect(c).toMatchObject({ policy: 'harassment/insult', reason: 'said review.why_clear', category: 'harassment' })
    expect(rulingOf(c, file({ sub_label: 'insult' }))).toEqual({ decision: 'reject', policy: 'harassment/insult', reason: 'said review.why_clear' })
  })
  it('names the category where it is another, or graver', () => {
    const c = choose(file(), 'reject', 0, say)
    expect(rulingOf({ ...c, category: 'hate' }, file())).toMatchObject({ category: 'hate' })
    expect(rulingOf({ ...c, severity: 4 }, file())).toMatchObject({ category: 'harassment', severity: 4 })
    expect(rulingOf({ ...choose(file(), 'approve', 0, say), category: 'hate' }, file())).not.toHaveProperty('category')
  })
  it('says what is missing', () => {
    const c = choose(file(), 'reject', 0, say)
    expect(missing(c, file())).toBe('')
    expect(missing({ ...c, reason: ' ' }, file())).toBe('reason')
    expect(missing({ ...c, policy: '' }, file())).toBe('policy')
    expect(missing({ ...c, category: '' }, file())).toBe('category')
    expect(missing({ ...c, category: '' }, file({ kind: 'risk' }))).toBe('')
  })
  it('of an appeal upholds or denies, with a word to the player', () => {
    const f = file({ kind: 'appeal' })
    expect(rulingOf({ ...choose(f, 'approve', 0, say), statement: ' yes ' }, f)).toMatchObject({ decision: 'uphold', statement: 'yes' })
    expect(rulingOf(choose(f, 'reject', 0, say), f)).toMatchObject({ decision: 'deny' })
    expect(templates(f, 'approve')).not.toEqual(templates(file(), 'approve'))
  })
  it('comes back with what was said before', () => {
    const had = { decision: 'reject' as const, policy: '§ 2', reason: 'slur', note: 'n' }
    expect(choose(file(), 'reject', 0, say, had)).toMatchObject({ policy: '§ 2', reason: 'slur', note: 'n', pick: -1 })
    expect(choose(file(), 'approve', 0, say, had)).toMatchObject({ pick: 0, note: '' })
  })
})

describe('what is seen', () => {
  const steps = (f: CaseFile, words = false) => {
    const seen = [firstSight(f, words)]
    for (let i = 0; i < 3; i++) seen.push(nextSight(seen.at(-1)!, f))
    return seen
  }
  it('is blurred at first, and of the gravest covered until it is asked for twice', () => {
    expect(steps(file({ content_kind: 'image' }))).toEqual(['blurred', 'shown', 'covered', 'blurred'])
    expect(steps(file({ content_kind: 'image', category: 'gore' }))).toEqual(['covered', 'asked', 'blurred', 'shown'])
    expect(steps(file({ category: 'illegal', sub_label: 'child_safety' }))).toEqual(['covered', 'asked', 'shown', 'covered'])
    expect(steps(file(), true)).toEqual(['covered', 'shown', 'covered', 'shown'])
  })
  it('knows what is dangerous', () => {
    expect(dangerous({ category: 'child_safety', severity: 1 })).toBe(true)
    expect(dangerous({ category: 'spam', severity: 4 })).toBe(true)
    expect(dangerous({ category: 'hate', severity: 3 })).toBe(false)
  })
})

describe('care', () => {
  const minute = 60_000
  it('proposes a break after long work, not after a pause', () => {
    let s = { since: 0, seen: 0, later: 0 }
    for (let m = 1; m <= 51; m++) s = worked(s, m * minute)
    expect(breakDue(s, 51 * minute, 50)).toBe(50)
    expect(breakDue(s, 51 * minute, 0)).toBe(0)
    expect(breakDue(putOff(s, 51 * minute), 60 * minute, 50)).toBe(0)
    expect(breakDue(putOff(s, 51 * minute), 67 * minute, 50)).toBe(50)
    s = worked(s, 57 * minute)
    expect(breakDue(s, 57 * minute, 50)).toBe(0)
  })
  it('is on where nothing else was said, or nonsense', () => {
    expect(readCare(null)).toEqual(usualCare)
    expect(readCare('{')).toEqual(usualCare)
    expect(readCare('{"blur":false,"breakAfter":7}')).toEqual({ ...usualCare, blur: false })
  })
})
