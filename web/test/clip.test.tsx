import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bars, clock, lines, meet, shifted, soundOf, spaced, type Word } from '../src/lib/clip'
import { AudioClip } from '../src/ui/AudioClip'
import { settle } from './wrap'

const word = (text: string, at_ms: number, end_ms: number, more: Partial<Word> = {}): Word => ({ text, at_ms, end_ms, confidence: 0.9, ...more })

describe('clip', () => {
  it('writes times', () => {
    expect([0, 72_340, 3_600_000, -5].map(clock)).toEqual(['0:00.0', '1:12.3', '1:00:00.0', '0:00.0'])
  })
  it('breaks lines at pauses and spaces words by their script', () => {
    expect(lines([word('a', 0, 500), word('b', 600, 900), word('c', 3900, 4000)]).map((l) => l.words.length)).toEqual([2, 1])
    expect([spaced('', word('a', 0, 1)), spaced('a', word('b', 0, 1)), spaced('こん', word('にちは', 0, 1)), spaced('a', word("'s", 0, 1, { glued: true }))]).toEqual([false, true, false, false])
  })
  it('breaks lines where another voice begins; a word between is of whoever spoke last', () => {
    const speech = [{ at_ms: 0, end_ms: 1000, speaker: 1 }, { at_ms: 1200, end_ms: 2000, speaker: 2 }, { at_ms: 2000, end_ms: 2500 }]
    const said = lines([word('a', 0, 500), word('b', 950, 1150), word('c', 1150, 1600), word('d', 2050, 2300)], speech)
    expect(said.map((l) => [l.speaker, l.words.map((w) => w.text).join('')])).toEqual([[1, 'ab'], [2, 'cd']])
  })
  it('keeps every peak', () => {
    expect(bars([0, 255, 0, 0, 51, 0], 2)).toEqual([1, 0.2])
    expect(bars([255], 100)).toEqual([1])
  })
  it('knows stretches that meet', () => {
    expect([meet({ at_ms: 0, end_ms: 10 }, { at_ms: 10, end_ms: 20 }), meet({ at_ms: 0, end_ms: 11 }, { at_ms: 10, end_ms: 20 })]).toEqual([false, true])
  })
  it('counts from where a recording begins', () => {
    expect(shifted([{ at_ms: 61_000, end_ms: 62_000 }, { at_ms: 100, end_ms: 60_500 }], 60_000)).toEqual([{ at_ms: 1000, end_ms: 2000 }, { at_ms: 0, end_ms: 500 }])
  })
  it('tells a sound from a picture', () => {
    expect(soundOf({ format: 'png', width: 1, height: 1, frames: 1, sha256: '', ocr: [], qr: [] })).toBeUndefined()
  })
})

describe('AudioClip', () => {
  const media = {
    format: 'mp3' as const, duration_ms: 4000, channels: 1, sample_rate: 44100, sha256: '00', peaks: [0, 255], transcript_reliable: false,
    speakers: 2, speech: [{ at_ms: 0, end_ms: 350, speaker: 1 }, { at_ms: 350, end_ms: 4000, speaker: 2 }],
    transcript: [word('you', 100, 300), word('fool', 400, 800, { listed: true }), word('<b>x</b>', 3900, 4000, { doubted: true })],
  }
  const labels = [{ category: 'harassment' as const, confidence: 0.9, sub_label: 'insult', at_ms: 400, end_ms: 800 }]
  let box: HTMLDivElement
  let root: Root
  const fetched: string[] = []

  beforeEach(() => {
    fetched.length = 0
    vi.stubGlobal('fetch', (u: URL) => { fetched.push(u.pathname); return Promise.resolve(new Response(new Blob(['RIFF']))) })
    URL.createObjectURL = () => 'blob:made'
    URL.revokeObjectURL = vi.fn()
    HTMLMediaElement.prototype.load = vi.fn()
    HTMLMediaElement.prototype.play = vi.fn(() => Promise.resolve())
    HTMLCanvasElement.prototype.getContext = (() => null) as never
    box = document.body.appendChild(document.createElement('div'))
    root = createRoot(box)
    act(() => root.render(<AudioClip path="evidence/e1" media={media} labels={labels} />))
  })
  afterEach(() => { act(() => root.unmount()); box.remove(); vi.unstubAllGlobals() })

  const audio = () => box.querySelector('audio') as HTMLAudioElement
  const slider = () => box.querySelector('[role=slider]') as HTMLElement
  const press = (on: Element, key: string) => act(() => { on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })) })

  it('shows words as text, those found marked, those not gone by struck through', () => {
    expect(box.querySelector('mark')?.textContent).toBe('fool')
    expect(box.querySelector('s')?.textContent).toBe('<b>x</b>')
    expect(box.querySelector('b')).toBeNull()
    expect([...box.querySelectorAll('.audio-who')].map((w) => w.textContent)).toEqual(['Voice 1', 'Voice 2', 'Voice 2'])
    expect(box.querySelector('.audio-listed')?.textContent).toBe('fool')
  })
  it('fetches nothing before it is played, and is silent then', async () => {
    expect(fetched).toEqual([])
    expect(audio().muted).toBe(true)
    expect(audio().getAttribute('src')).toBeNull()
    press(slider(), ' ')
    await settle()
    expect(fetched).toEqual(['/api/v1/evidence/e1'])
    expect(audio().getAttribute('src')).toBe('blob:made')
    expect(audio().muted).toBe(true)
  })
  it('moves and is heard by keyboard', () => {
    press(slider(), 'ArrowRight')
    press(slider(), 'PageUp')
    expect(slider().getAttribute('aria-valuenow')).toBe('4000')
    press(slider(), 'Home')
    expect(slider().getAttribute('aria-valuenow')).toBe('0')
    press(slider(), 'm')
    expect(audio().muted).toBe(false)
  })
})
