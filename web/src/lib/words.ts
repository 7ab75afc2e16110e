// How ids of the contract are said to people, and how numbers are written.
import type { Action, Category, FeedEvent, Mode, Suggestion } from './wire'

export const categoryWord: Record<Category, string> = {
  violence: 'Violence', sexual: 'Sexual', hate: 'Hate', illegal: 'Illegal', spam: 'Spam', harassment: 'Harassment',
  political: 'Political', privacy: 'Privacy',
}
export const modeWord: Record<Mode, string> = {
  real_time_block: 'Real-time block', deferred_review: 'Deferred review', pre_review: 'Pre-review', monitor_only: 'Monitor only',
}
export const suggestionWord: Record<Suggestion, string> = { pass: 'Pass', review: 'Review', block: 'Block' }
export const actionWord: Record<Action, string> = { deliver: 'Delivered', hold: 'Held', drop: 'Dropped', mask: 'Masked' }

const upper = (s: string) => s.charAt(0).toUpperCase() + s.slice(1)
/** "threat_of_report" as "Threat of report". */
export const plain = (id: string) => upper(id.replaceAll('_', ' '))
export const categoryName = (id: string) => categoryWord[id as Category] ?? plain(id)
export const modeName = (id: string) => modeWord[id as Mode] ?? plain(id)

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const full = new Intl.DateTimeFormat(undefined, {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23',
})
const count = new Intl.NumberFormat()
const percent = new Intl.NumberFormat(undefined, { style: 'percent' })

export const clockTime = (at: string) => { const d = new Date(at); return Number.isNaN(+d) ? at : clock.format(d) }
export const fullTime = (at: string) => { const d = new Date(at); return Number.isNaN(+d) ? at : full.format(d) }
export const number = (n: number) => count.format(n)
export const share = (n: number) => percent.format(n)
const fine = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 })
export const millis = (n: number) => (n <= 0 ? '<1 ms' : `${n < 10 ? fine.format(n) : count.format(Math.round(n))} ms`)
/** The time that a verdict took, as finely as the gateway tells it. */
export const took = (e: Pick<FeedEvent, 'latency_ms' | 'latency_us'>) => millis(e.latency_us === undefined ? e.latency_ms : e.latency_us / 1000)

/** What was found, whether or not callers may act on it. */
export const found = (e: Pick<FeedEvent, 'suggestion' | 'label' | 'observed'>) =>
  e.observed ?? { suggestion: e.suggestion, label: e.label }
