import { describe, expect, it } from 'vitest'
import { keyName } from '../src/console/shortcuts'

function press(key: string, on: string, init: KeyboardEventInit = {}): string {
  document.body.innerHTML = on
  let name = 'unheard'
  const hear = (e: KeyboardEvent) => { name = keyName(e) }
  window.addEventListener('keydown', hear, { once: true })
  const target = document.querySelector('[data-at]') as HTMLElement
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }))
  return name
}

describe('shortcuts', () => {
  it('hears keys on the page', () => {
    expect([press('J', '<p data-at></p>'), press(' ', '<p data-at></p>'), press('?', '<p data-at></p>')]).toEqual(['j', 'Space', '?'])
  })
  it('rests while something is typed or composed', () => {
    expect(press('b', '<input data-at>')).toBe('')
    expect(press('b', '<textarea data-at></textarea>')).toBe('')
    expect(press('b', '<div role="dialog"><p data-at></p></div>')).toBe('')
    expect(press('b', '<p data-at></p>', { isComposing: true })).toBe('')
    expect(press('b', '<p data-at></p>', { keyCode: 229 })).toBe('')
  })
  it('leaves combinations to the browser, Space and Enter to buttons', () => {
    expect(press('k', '<p data-at></p>', { ctrlKey: true })).toBe('')
    expect(press(' ', '<button data-at>x</button>')).toBe('')
    expect(press('Enter', '<button data-at>x</button>')).toBe('')
    expect(press('j', '<button data-at>x</button>')).toBe('j')
  })
})
