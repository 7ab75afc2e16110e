import type { FeedEvent } from '../src/lib/wire'

let n = 0

/** A feed event with what a test does not care about filled in. */
export function event(change: Partial<FeedEvent>): FeedEvent {
  n++
  return {
    type: 'feed.event', event_id: `e${n}`, at: new Date(1_700_000_000_000 + n).toISOString(), app_id: 'app', kind: 'text', scene_id: 'scene', player_id: 'player',
    request_id: `r${n}`, suggestion: 'pass', action: 'deliver', label: [], content: `message ${n}`, latency_ms: 1, mode: 'real_time_block', ...change,
  }
}
