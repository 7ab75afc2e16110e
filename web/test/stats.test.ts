import { describe, expect, it } from 'vitest'
import { beside, change, column, periodOf } from '../src/console/stats/period'
import { csv } from '../src/lib/csv'
import { address } from '../src/lib/http'

describe('figures', () => {
  it('have a period to the hour that runs, and the one before of the same length', () => {
    const p = periodOf(7, Date.parse('2026-05-08T10:20:00Z'))
    expect(p).toEqual({ days: 7, before: '2026-04-24T11:00:00.000Z', from: '2026-05-01T11:00:00.000Z', to: '2026-05-08T11:00:00.000Z', step: 'hour' })
    expect(periodOf(5, 0).days).toBe(7)
    expect(periodOf(30, 0).step).toBe('day')
  })
  it('leave out what there is no figure of', () => {
    expect(column([{ n: 1 }, { n: null }, { n: 'x' }, {}], 'n')).toEqual([1, null, null, null])
    expect(change(3, 2)).toBe(0.5)
    expect(change(3, 0)).toBeNull()
    expect(beside({ n: 1 }, { n: 2 })).toEqual({ n: 1, previous_n: 2 })
  })
})

describe('a file of a table', () => {
  it('quotes, and runs no formula', () => {
    expect(csv(['a', 'b'], [['=1+1', 'x"y,z'], [-5, null]])).toBe('a,b\r\n\'=1+1,"x""y,z"\r\n-5,\r\n')
  })
})

describe('an address', () => {
  it('encodes a stranger’s id and leaves out what is not said', () => {
    expect(address('/players/{id}/timeline', { id: 'a/b?c' }, { app_id: 'g', cursor: undefined, kind: ['x', 'y'], q: '' })).toBe('players/a%2Fb%3Fc/timeline?app_id=g&kind=x&kind=y')
  })
})
