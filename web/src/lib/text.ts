// Players' text is hostile: it is shown as text alone, with the hits marked at
// code points, bidirectional controls and other invisible characters shown, and
// never as markup or links.
import type { Position } from './wire'

export interface Piece {
  text: string
  hit: boolean
  /** Set where the piece is one invisible character; its name is shown instead. */
  control?: string
}

const names: Record<number, string> = {
  0x00ad: 'SHY', 0x061c: 'ALM', 0x180e: 'MVS', 0x200b: 'ZWSP', 0x200c: 'ZWNJ', 0x200e: 'LRM', 0x200f: 'RLM',
  0x202a: 'LRE', 0x202b: 'RLE', 0x202c: 'PDF', 0x202d: 'LRO', 0x202e: 'RLO', 0x2028: 'LS', 0x2029: 'PS', 0x2060: 'WJ',
  0x2066: 'LRI', 0x2067: 'RLI', 0x2068: 'FSI', 0x2069: 'PDI', 0xfeff: 'BOM', 0x0009: 'TAB', 0x000a: 'LF', 0x000d: 'CR',
}

function control(ch: string): string | undefined {
  const cp = ch.codePointAt(0) ?? 0
  if (names[cp]) return names[cp]
  if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || (cp >= 0xe0000 && cp <= 0xe007f)) {
    return `U+${cp.toString(16).toUpperCase().padStart(4, '0')}`
  }
  return undefined
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Cuts text into pieces, marked where one of hits (code points, half-open)
 * touches. A mark covers whole graphemes, so that an accent or a joined emoji
 * is not torn off. Hits outside the text are ignored.
 */
export function pieces(text: string, hits: readonly Position[] = []): Piece[] {
  const spans = hits.filter((h) => h.end > h.start).sort((a, b) => a.start - b.start)
  const out: Piece[] = []
  const put = (piece: Piece) => {
    const last = out[out.length - 1]
    if (last && last.hit === piece.hit && last.control === undefined && piece.control === undefined) last.text += piece.text
    else out.push(piece)
  }
  let at = 0
  for (const { segment } of graphemes.segment(text)) {
    const chars = [...segment]
    const hit = spans.some((s) => s.start < at + chars.length && s.end > at)
    at += chars.length
    const shown = chars.map((ch) => control(ch))
    if (shown.every((c) => c === undefined)) put({ text: segment, hit })
    else chars.forEach((ch, i) => put(shown[i] ? { text: ch, hit, control: shown[i] } : { text: ch, hit }))
  }
  return out
}

/** How many code points text has. */
export function codePoints(text: string): number {
  let n = 0
  for (const _ of text) n++
  return n
}

/** Dots in the shape of text, at most max of them, that tell nothing but its length and words. */
export function dots(text: string, max = 80): string {
  let out = ''
  let n = 0
  for (const ch of text) {
    if (n++ === max) return out + '…'
    out += /\s/u.test(ch) ? ' ' : '•'
  }
  return out
}
