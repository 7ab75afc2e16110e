import { describe, expect, it } from 'vitest'
import { formatFilter, isFiltered, matcher, noFilter, parseFilter, type Filter } from '../src/console/feed/filter'
import { parseRoute } from '../src/console/route'
import { event } from './events'

describe('the filter in the URL', () => {
  it('comes back as it went', () => {
    const f: Filter = { suggestion: ['review', 'block'], category: 'spam', kind: 'image', mode: 'pre_review', app: 'a&b', scene: 'lobby #1', player: 'ミラ', text: '50% off = 100% 😀', waiting: true }
    expect(parseFilter(formatFilter(f))).toEqual(f)
    expect(parseFilter(parseRoute(`#/feed?${formatFilter(f)}`).query)).toEqual(f)
  })
  it('is empty for no filter', () => {
    expect(formatFilter(noFilter)).toBe('')
    expect(isFiltered(noFilter)).toBe(false)
    expect(parseFilter('')).toEqual(noFilter)
  })
  it('has one form for one filter', () => {
    expect(formatFilter({ ...noFilter, suggestion: ['block', 'pass'] })).toBe('s=pass,block')
    expect(formatFilter(parseFilter('s=block,pass,block'))).toBe('s=pass,block')
  })
  it('leaves out what it does not know', () => {
    expect(parseFilter('s=block,nope&cat=constructor&mode=x&waiting=yes&other=1')).toEqual({ ...noFilter, suggestion: ['block'] })
    expect(parseFilter(`q=${'x'.repeat(500)}`).text).toHaveLength(200)
  })
})

describe('matching', () => {
  const e = event({ suggestion: 'block', label: [{ category: 'spam', confidence: 0.9 }], content: 'ＣＨＥＡＰ gold', player_id: 'Mira', scene_id: 'lobby' })
  const yes = (f: Partial<Filter>) => matcher({ ...noFilter, ...f })(e)
  it('takes all without a filter', () => expect(yes({})).toBe(true))
  it('asks every part', () => {
    expect(yes({ suggestion: ['block'], category: 'spam', player: 'mir', scene: 'LOB', text: 'cheap' })).toBe(true)
    expect(yes({ suggestion: ['pass', 'review'] })).toBe(false)
    expect(yes({ category: 'hate' })).toBe(false)
    expect(yes({ player: 'kenji' })).toBe(false)
    expect(yes({ mode: 'monitor_only' })).toBe(false)
    expect([yes({ kind: 'text' }), yes({ kind: 'image' })]).toEqual([true, false])
    expect(parseFilter('cat=nudity').category).toBe('nudity')
    expect(yes({ app: 'other' })).toBe(false)
    expect(yes({ text: 'silver' })).toBe(false)
  })
  it('goes by what was observed where nothing was done', () => {
    const seen = event({ suggestion: 'pass', label: [], observed: { suggestion: 'review', label: [{ category: 'hate', confidence: 0.8 }] } })
    expect(matcher({ ...noFilter, suggestion: ['review'], category: 'hate' })(seen)).toBe(true)
    expect(matcher({ ...noFilter, suggestion: ['pass'] })(seen)).toBe(false)
  })
  it('waiting means a case that nobody decided', () => {
    const m = matcher({ ...noFilter, waiting: true })
    const held = event({ case_id: 'c1' })
    expect([m(event({})), m(held), m({ ...held, decided: { decision: 'approve' } })]).toEqual([false, true, false])
  })
})
