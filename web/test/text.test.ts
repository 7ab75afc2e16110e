import { describe, expect, it } from 'vitest'
import { codePoints, dots, pieces } from '../src/lib/text'

const marked = (text: string, start: number, end: number) =>
  pieces(text, [{ start, end }]).filter((p) => p.hit).map((p) => p.text).join('')

describe('pieces', () => {
  it('marks at code points, past astral characters', () => {
    expect(marked('😀😀😀 you idiot', 8, 13)).toBe('idiot')
    expect(pieces('a😀b', [{ start: 1, end: 2 }])).toEqual([
      { text: 'a', hit: false }, { text: '😀', hit: true }, { text: 'b', hit: false },
    ])
  })
  it('does not tear off combining marks or joined emoji', () => {
    expect(marked('cafe\u0301 x', 3, 4)).toBe('e\u0301')
    expect(marked('👨‍👩‍👧 hi', 0, 1)).toBe('👨‍👩‍👧')
    expect(marked('I\u0307stanbul', 0, 1)).toBe('I\u0307')
  })
  it('keeps the whole text, whatever the hits', () => {
    const text = 'x😀e\u0301 한글 \u202eabc\u200b!'
    for (const hits of [[], [{ start: 0, end: 99 }], [{ start: 3, end: 2 }], [{ start: 50, end: 60 }], [{ start: 1, end: 4 }, { start: 2, end: 6 }]]) {
      expect(pieces(text, hits).map((p) => p.text).join('')).toBe(text)
    }
  })
  it('ignores hits that are empty or outside', () => {
    expect(pieces('abc', [{ start: 1, end: 1 }, { start: 7, end: 9 }])).toEqual([{ text: 'abc', hit: false }])
  })
  it('merges neighbours and joins overlapping hits', () => {
    expect(pieces('abcdef', [{ start: 1, end: 3 }, { start: 2, end: 5 }])).toEqual([
      { text: 'a', hit: false }, { text: 'bcde', hit: true }, { text: 'f', hit: false },
    ])
  })
  it('shows bidirectional controls and other invisible characters', () => {
    expect(pieces('a\u202eb\u200bc', []).filter((p) => p.control).map((p) => p.control)).toEqual(['RLO', 'ZWSP'])
    expect(pieces('a\u0007', [])[1]).toEqual({ text: '\u0007', hit: false, control: 'U+0007' })
  })
})

describe('hidden text', () => {
  it('tells the shape and nothing else', () => {
    expect(dots('you idiot 😀')).toBe('••• ••••• •')
    expect(dots('aaaa', 2)).toBe('••…')
    expect(codePoints('a😀e\u0301')).toBe(4)
  })
})
