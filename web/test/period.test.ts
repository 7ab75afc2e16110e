import { describe, expect, it } from 'vitest'
import { isPast, sinceDays, timesOf } from '../src/lib/period'

describe('periods', () => {
  it('begin at a whole hour', () => expect(+new Date(sinceDays(7)) % 3_600_000).toBe(0))
  it('have every step, the last one begun', () => {
    expect(timesOf('2026-01-01T05:00:00Z', 'day', Date.UTC(2026, 0, 3, 1))).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'])
    expect(timesOf('2026-01-01T05:30:00Z', 'hour', Date.UTC(2026, 0, 1, 7))).toHaveLength(3)
  })
  it('pass', () => { expect(isPast('2020-01-01T00:00:00Z')).toBe(true); expect(isPast('2999-01-01T00:00:00Z')).toBe(false) })
})
