import { describe, expect, it } from 'vitest'
import { merge, type Known, type Logged } from '../src/console/player/timeline'

const known = (at: string, kind: Known['kind'] = 'decision', more: Partial<Known> = {}) => ({ at, kind, ...more }) as Known
const logged = (at: string, log = 'trade') => ({ log, log_id: at, timestamp: +new Date(at) }) as Logged

describe('a player’s timeline', () => {
  it('is one line, newest first', () => {
    const all = merge({ rows: [known('2026-01-03T00:00:00Z'), known('2026-01-01T00:00:00Z', 'penalty')], more: false }, { rows: [logged('2026-01-02T00:00:00Z')], more: false })
    expect(all.map((m) => m.lane)).toEqual(['chat', 'trade', 'penalty'])
  })
  it('keeps back what a list that goes on may still interleave', () => {
    const rows = [known('2026-01-09T00:00:00Z'), known('2026-01-08T00:00:00Z')]
    const all = merge({ rows, more: true }, { rows: [logged('2026-01-08T12:00:00Z'), logged('2026-01-05T00:00:00Z')], more: false })
    expect(all.map((m) => m.at.slice(0, 13))).toEqual(['2026-01-09T00', '2026-01-08T12', '2026-01-08T00'])
  })
  it('knows voice and images by the kind of what was decided', () => {
    const of = (kind: string) => merge({ rows: [known('2026-01-01T00:00:00Z', 'decision', { decision: { kind, request_id: 'r' } as Known['decision'] & object })], more: false }, { rows: [], more: false })[0]?.lane
    expect([of('audio'), of('image'), of('text')]).toEqual(['voice', 'image', 'chat'])
  })
  it('tells one event once', () => {
    const e = known('2026-01-01T00:00:00Z', 'report', { report: { report_id: 'x' } as Known['report'] & object })
    expect(merge({ rows: [e, e], more: false }, { rows: [], more: false })).toHaveLength(1)
  })
})
