// How ids of the contract are said to people, and how times and numbers are
// written, in the language spoken now.
import { currentLanguage, hasText, text, type TextKey } from '../i18n/text'
import type { Action, FeedEvent, Mode, Suggestion } from './wire'

const upper = (s: string) => s.charAt(0).toUpperCase() + s.slice(1)
/** "threat_of_report" as "Threat of report"; a word that we have is said in the language. */
export const plain = (id: string): string => {
  const key = `words.${id.replaceAll(/[^A-Za-z0-9_]/g, '_')}`
  return hasText(key) ? text(key) : upper(id.replaceAll('_', ' '))
}
export const categoryName = (id: string) => plain(id)
export const modeName = (id: string) => plain(id)
export const suggestionName = (s: Suggestion) => text(`words.${s}` as TextKey)
export const actionName = (a: Action) => text(`words.did_${a}` as TextKey)
export const roleName = (role: string) => plain(role)

const made = new Map<string, unknown>()
/** One Intl formatter for each kind and language: making them is slow. */
function intl<T>(kind: string, make: (language: string) => T): T {
  const key = `${currentLanguage()} ${kind}`
  let f = made.get(key) as T | undefined
  if (!f) made.set(key, f = make(currentLanguage()))
  return f
}
const dates = (kind: string, o: Intl.DateTimeFormatOptions) => (at: string | number | Date) => {
  const d = new Date(at)
  return Number.isNaN(+d) ? String(at) : intl(kind, (l) => new Intl.DateTimeFormat(l, o)).format(d)
}

export const clockTime = dates('clock', { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
export const fullTime = dates('full', { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const thisYear = dates('day time', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const otherYear = dates('year day time', { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
/** Day and time; the year where it is not this one. */
export const dayTime = (at: string | number | Date) => (new Date(at).getFullYear() === new Date().getFullYear() ? thisYear(at) : otherYear(at))
const dayOfYear = dates('month day', { month: 'short', day: 'numeric' })
/** The moments that an axis names: days alone where all of them are midnights, else day and time. */
export function axisTimes(at: readonly number[]): string[] {
  const midnights = at.every((x) => { const d = new Date(x); return d.getHours() === 0 && d.getMinutes() === 0 })
  const thisYears = at.every((x) => new Date(x).getFullYear() === new Date().getFullYear())
  return at.map(midnights ? (thisYears ? dayOfYear : day) : dayTime)
}
export const day = dates('day', { year: 'numeric', month: 'short', day: 'numeric' })

export const number = (n: number) => intl('number', (l) => new Intl.NumberFormat(l)).format(n)
/** A difference, with its sign. */
export const signed = (n: number) => intl('signed', (l) => new Intl.NumberFormat(l, { signDisplay: 'exceptZero' })).format(n).replace('-', '\u2212')
export const share = (n: number) => intl('share', (l) => new Intl.NumberFormat(l, { style: 'percent' })).format(n)
/** A share to a tenth of a percent. */
export const fineShare = (n: number) => intl('fine share', (l) => new Intl.NumberFormat(l, { style: 'percent', maximumFractionDigits: 1 })).format(n)
/** A number to two figures. */
export const fineNumber = (n: number) => fine(n)
const fine = (n: number) => intl('fine', (l) => new Intl.NumberFormat(l, { maximumSignificantDigits: 2 })).format(n)
export const millis = (n: number) => (n <= 0 ? '<1 ms' : `${n < 10 ? fine(n) : number(Math.round(n))} ms`)
/** The time that a verdict took, as finely as the gateway tells it. */
export const took = (e: Pick<FeedEvent, 'latency_ms' | 'latency_us'>) => millis(e.latency_us === undefined ? e.latency_ms : e.latency_us / 1000)
export const bytes = (n: number) => (n < 1000 ? `${number(n)} B` : n < 1e6 ? `${fine(n / 1e3)} kB` : `${fine(n / 1e6)} MB`)

/** How long ago, or how long until: "5 minutes ago", "in 2 hours". */
export function ago(at: string | number | Date, now = Date.now()): string {
  const s = (+new Date(at) - now) / 1000
  if (Number.isNaN(s)) return String(at)
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]]
  const [unit, size] = steps.find(([, n]) => Math.abs(s) >= n) ?? ['second', 1]
  return intl('ago', (l) => new Intl.RelativeTimeFormat(l, { numeric: 'auto' })).format(Math.round(s / size), unit)
}

/** A span of ms in its two largest units: "3 h 20 min". */
export function duration(ms: number): string {
  const unit = (n: number, u: string) => intl(`unit ${u}`, (l) => new Intl.NumberFormat(l, { style: 'unit', unit: u, unitDisplay: 'short' })).format(n)
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 60) return unit(s, 'second')
  if (s < 3600) return unit(Math.round(s / 60), 'minute')
  if (s < 86_400) return [unit(Math.floor(s / 3600), 'hour'), s % 3600 >= 60 ? unit(Math.floor((s % 3600) / 60), 'minute') : ''].filter(Boolean).join(' ')
  return [unit(Math.floor(s / 86_400), 'day'), s % 86_400 >= 3600 ? unit(Math.floor((s % 86_400) / 3600), 'hour') : ''].filter(Boolean).join(' ')
}

/** What was found, whether or not callers may act on it. */
export const found = (e: Pick<FeedEvent, 'suggestion' | 'label' | 'observed'>) =>
  e.observed ?? { suggestion: e.suggestion, label: e.label }

export type { Mode }
