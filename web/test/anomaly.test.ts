import { describe, expect, it } from 'vitest'
import { isAnomaly, rowOfAnomaly } from '../src/lib/anomaly'
import type { AnomalyEvent } from '../src/lib/wire'

const event: AnomalyEvent = {
  type: 'feed.event', kind: 'anomaly', event_id: 'e', at: '2026-01-01T00:00:00.000Z', app_id: 'game', category: 'hate', began_at: '2026-01-01T00:00:00.000Z',
  hour: '2026-01-01T00:00:00.000Z', found: 30, verdicts: 255, share: 0.1176, usual_share: 0.0042, ratio: 28,
}

describe('anomalies in the feed', () => {
  it('are rows that say their figures', () => {
    expect(isAnomaly(event)).toBe(true)
    expect(rowOfAnomaly(event).other).toEqual({ word: 'Anomaly', tone: 'review', text: 'Hate: 11.8 % of an hour’s messages, usually 0.42 % (30 of 255)' })
    expect(rowOfAnomaly(event).suggestion).toBe('review')
  })
})
