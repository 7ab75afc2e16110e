// What is out of the ordinary stands in the feed as a row of its own.
import type { AnomalyEvent, BanEvent, EconomyCaseEvent, FeedEvent } from './wire'
import { text } from '../i18n/text'
import { number, plain } from './words'

export const isAnomaly = (e: FeedEvent | BanEvent | EconomyCaseEvent | AnomalyEvent): e is AnomalyEvent => e.kind === 'anomaly'

const percent = (x: number) => `${(100 * x).toFixed(x < 0.01 ? 2 : 1)} %`

export function rowOfAnomaly(e: AnomalyEvent): FeedEvent {
  return {
    type: 'feed.event', event_id: e.event_id, at: e.at, app_id: e.app_id, kind: 'anomaly', scene_id: '', player_id: '', request_id: '',
    suggestion: 'review', action: 'deliver', label: [], content: '', latency_ms: 0, mode: 'real_time_block',
    other: {
      word: text('words.anomaly'), tone: 'review',
      text: text('words.say_anomaly_text', { category: plain(e.category), share: percent(e.share), usual: percent(e.usual_share), found: number(e.found), verdicts: number(e.verdicts) }),
    },
  }
}
