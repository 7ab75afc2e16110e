// What the console needs of a sound: its facts out of result.media, times as people
// write them, and which of its words stand where.
import type { components } from './api.gen'

export type Sound = components['schemas']['Sound']
export type Word = NonNullable<Sound['transcript']>[number]
type Media = components['schemas']['Media']

/** The facts of a sound, where media is of one. */
export const soundOf = (m: Media | Sound | undefined): Sound | undefined => (m && 'sample_rate' in m ? m : undefined)

/** The facts of a picture, where media is of one. */
export const pictureOf = (m: Media | Sound | undefined): Media | undefined => (m && 'width' in m ? m : undefined)

/** 72300 ms as 1:12.3; hours only where there are some. */
export function clock(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100))
  const s = Math.floor(tenths / 10)
  const two = (n: number) => String(n).padStart(2, '0')
  const h = Math.floor(s / 3600)
  const m = Math.floor(s / 60) % 60
  return `${h ? `${h}:${two(m)}` : m}:${two(s % 60)}.${tenths % 10}`
}

/** A stretch of time in a sound. */
export interface Stretch { at_ms: number; end_ms: number }

/** Whether two stretches have a moment in common. */
export const meet = (a: Stretch, b: Stretch): boolean => a.at_ms < b.end_ms && b.at_ms < a.end_ms

/** The same stretches in a recording that begins at a time; what lies before it is at its start. */
export const shifted = <T extends Stretch>(list: readonly T[], start: number): T[] =>
  list.map((s) => ({ ...s, at_ms: Math.max(0, s.at_ms - start), end_ms: Math.max(0, s.end_ms - start) }))

/** Recordings up to this size are drawn where the gateway has no waveform of them: those of calls are seconds long. */
const drawnBytes = 2_000_000
const drawnParts = 400

/** The waveform of a recording that the browser can read, as the gateway gives it: 0 to 255, of equal parts. */
export async function peaksOf(file: Blob): Promise<number[]> {
  if (file.size > drawnBytes || typeof OfflineAudioContext === 'undefined') return []
  const sound = await new OfflineAudioContext(1, 1, 16_000).decodeAudioData(await file.arrayBuffer())
  const pcm = sound.getChannelData(0)
  return Array.from({ length: Math.min(drawnParts, pcm.length) }, (_, i, n = Math.min(drawnParts, pcm.length)) => {
    let top = 0
    for (let k = Math.floor((i * pcm.length) / n); k < Math.floor(((i + 1) * pcm.length) / n); k++) top = Math.max(top, Math.abs(pcm[k] ?? 0))
    return Math.round(255 * Math.min(1, top))
  })
}

export type Speech = NonNullable<Sound['speech']>[number]
export interface Line { words: Word[]; /** Whose voice it is, of those told apart. */ speaker?: number | undefined }

/** Who speaks in a stretch: whoever has most of it, undefined where nobody knows. */
export function speakerOf(s: Stretch, speech: readonly Speech[]): number | undefined {
  let best: number | undefined
  let most = 0
  for (const p of speech) {
    const ms = Math.min(p.end_ms, s.end_ms) - Math.max(p.at_ms, s.at_ms)
    if (p.speaker && ms > most) { most = ms; best = p.speaker }
  }
  return best
}

/** The words as lines: one ends where nobody speaks for three seconds, and where another voice begins. */
export function lines(words: readonly Word[], speech: readonly Speech[] = []): Line[] {
  const out: Line[] = []
  let last: Word | undefined
  for (const w of words) {
    const line = out.at(-1)
    // A word between two stretches is of whoever spoke last.
    const speaker = speakerOf(w, speech) ?? line?.speaker
    if (!last || !line || w.at_ms - last.end_ms >= 3000 || speaker !== line.speaker) out.push({ words: [w], speaker })
    else line.words.push(w)
    last = w
  }
  return out
}

/** Whether a space stands between a word and the one before. */
export const spaced = (before: string, word: Word): boolean => {
  const bare = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
  return before !== '' && !word.glued && !(bare.test(before.at(-1) ?? '') && bare.test(word.text[0] ?? ''))
}

/** The largest of equal parts of the waveform, 0 to 1, for as many bars as there is room for. */
export function bars(peaks: readonly number[], n: number): number[] {
  const count = Math.min(n, peaks.length)
  return Array.from({ length: count }, (_, i) => {
    let top = 0
    for (let k = Math.floor((i * peaks.length) / count); k < Math.floor(((i + 1) * peaks.length) / count); k++) top = Math.max(top, peaks[k] ?? 0)
    return top / 255
  })
}
