import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { Combined, combinedOf } from '../src/ui/Combined'

it('says what a confidence is made of, and nothing where it is the item’s alone', () => {
  const of = [{ category: 'harassment', confidence: 0.82, own: 0.7, parts: [{ from: 'earlier', category: 'harassment', confidence: 0.9, counts: 0.225, kind: 'audio' }, { from: 'economy', category: 'spam', confidence: 0.8, counts: 0.051 }] }]
  expect(combinedOf({})).toEqual([])
  const box = document.createElement('div')
  const root = createRoot(box)
  act(() => root.render(<Combined of={combinedOf({ combined: of })} />))
  expect(box.textContent).toContain('Harassment 82%')
  expect(box.textContent).toContain('this item alone: 70%')
  expect([...box.querySelectorAll('li li')].map((l) => l.textContent)).toEqual(['Earlier content (Sound): Harassment 90% counts 22.5%', 'Economy: Spam 80% counts 5.1%'])
  act(() => root.render(<Combined of={combinedOf({})} />))
  expect(box.innerHTML).toBe('')
  act(() => root.unmount())
})
