import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { Fold } from '../src/ui/Fold'

it('opens by click and key, in a fieldset that is disabled too', () => {
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  const asked: boolean[] = []
  const draw = (open: boolean) => act(() => root.render(<fieldset disabled><Fold open={open} onOpen={(o) => asked.push(o)}>more</Fold></fieldset>))
  draw(false)
  const fold = box.querySelector('[role=button]') as HTMLElement
  expect(fold.getAttribute('aria-expanded')).toBe('false')
  // jsdom's own click() takes all in such a fieldset for dead.
  act(() => { fold.dispatchEvent(new MouseEvent('click', { bubbles: true })) })
  act(() => { fold.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true })) })
  draw(true)
  act(() => { fold.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })) })
  act(() => { fold.dispatchEvent(new KeyboardEvent('keydown', { key: 'x', bubbles: true })) })
  expect(asked).toEqual([true, true, false])
  act(() => root.unmount())
  box.remove()
})
