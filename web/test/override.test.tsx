import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { speak } from '../src/i18n/text'
import { OverrideButton, OverrideNote } from '../src/ui/RiskOverride'
import { Toasts } from '../src/ui/Toast'
import { settle, Wrap } from './wrap'

type Risk = Parameters<typeof OverrideNote>[0]['risk']
const plain: Risk = { code: 0, request_id: 'r', player_id: 'ann', risk_score: 72, risk_level: 'suspicious', risk_factors: [{ factor: 'fan_in', score: 72 }], last_updated: '2026-01-02T03:04:05Z', bans: [] }
const set: Risk = { ...plain, risk_score: 5, risk_level: 'normal', risk_factors: [{ factor: 'operator_override', score: -67 }, ...plain.risk_factors], override: { score: 5, until: new Date(Date.now() + 36 * 3_600_000).toISOString(), by: 'ada', reason: 'a guild bank' } }

let root: Root
let calls: { path: string; method: string; body: unknown }[]
let answer: [number, object]
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  calls = []
  answer = [200, { player_id: 'ann', score: 0, until: '2030-01-02T03:04:05Z', by: 'ada', reason: 'x' }]
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    calls.push({ path: url.href.replace(/^.*\/api\/v1\//, ''), method: String(init.method), body: JSON.parse(String(init.body)) })
    return new Response(JSON.stringify({ code: 0, request_id: 'r', ...answer[1] }), { status: answer[0] })
  })
  const host = document.createElement('div')
  document.body.replaceChildren(host)
  root = createRoot(host)
})
afterEach(async () => {
  await act(async () => root.unmount())
  await speak('en')
  vi.unstubAllGlobals()
})

async function show(risk: Risk, may = true) {
  await act(async () => root.render(<Wrap><OverrideNote app="game" risk={risk} may={may} /><OverrideButton app="game" risk={risk} may={may} /><Toasts /></Wrap>))
}
const buttons = () => [...document.querySelectorAll('button')]
const acts = () => buttons().filter((b) => !b.closest('.toasts')) // what was told in a test before stands a while
const press = async (name: string) => { await act(async () => buttons().findLast((b) => b.textContent === name)?.click()); await settle() }
async function fill(label: string, value: string) {
  const field = [...document.querySelectorAll('label')].find((l) => l.textContent?.startsWith(label))?.querySelector('input, select') as HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
  })
}
const text = () => document.body.textContent ?? ''
const confirm = () => document.querySelector('[role=dialog] button[type=submit]') as HTMLButtonElement

describe('a risk that an operator sets', () => {
  it('is said with what it stands in place of, by whom, why, and how to take it back', async () => {
    await speak('en')
    await show(set)
    expect(text()).toMatch(/Set by hand: 5 in place of 72, by ada, until .*\d\d:\d\d\./)
    expect(text()).toContain('a guild bank')
    await press('Take it back')
    expect(text()).toContain('What the model and the rules say counts again: 72 at this moment.')
    expect(confirm().disabled).toBe(true) // until there is a reason
    await fill('Reason', 'mistaken')
    await press('Take it back')
    expect(calls).toEqual([{ path: 'economy/players/ann/override?app_id=game', method: 'PUT', body: { hours: 0, reason: 'mistaken' } }])
    await press('Undo')
    expect(calls[1]?.body).toEqual({ score: 5, hours: 36, reason: 'a guild bank' })
  })
  it('is set with a score, a time and a reason, and undone to nothing', async () => {
    await speak('en')
    await show(plain)
    expect(text()).not.toContain('Set by hand')
    await press('Set the risk by hand')
    await fill('Reason', 'a tester of ours')
    for (const [score, fits, says] of [['101', false, 'A whole number'], ['', false, 'A whole number'], ['1.5', false, 'A whole number'], ['90', true, 'critical'], ['0', true, 'normal']] as const) {
      await fill('Score', score)
      expect([score, !confirm().disabled]).toEqual([score, fits])
      expect(document.querySelector('[role=dialog] [role=status]')?.textContent).toContain(says)
    }
    await fill('For how long', '168')
    await press('Set the risk')
    expect(calls).toEqual([{ path: 'economy/players/ann/override?app_id=game', method: 'PUT', body: { score: 0, hours: 168, reason: 'a tester of ours' } }])
    expect(document.querySelector('[role=dialog]')).toBeNull()
    expect(text()).toContain('The risk of ann is 0 until')
    await press('Undo')
    expect(calls[1]?.body).toMatchObject({ hours: 0 })
  })
  it('that is changed is undone to what was set before', async () => {
    await speak('en')
    await show(set)
    await press('Change what is set')
    expect((document.querySelector('[role=dialog] input[type=number]') as HTMLInputElement).value).toBe('5')
    await fill('Reason', 'more')
    await press('Set the risk')
    await press('Undo')
    expect(calls[1]?.body).toEqual({ score: 5, hours: 36, reason: 'a guild bank' })
  })
  it('says why it was refused, and keeps what was written', async () => {
    await speak('en')
    answer = [409, { code: 3003, message: 'the app has as many as it may have: 10,000 that hold' }]
    await show(plain)
    await press('Set the risk by hand')
    await fill('Reason', 'kept')
    await press('Set the risk')
    expect(document.querySelector('[role=dialog] [role=alert]')?.textContent).not.toBe('')
    expect((document.querySelector('[role=dialog] input:not([type=number])') as HTMLInputElement).value).toBe('kept')
  })
  it('can be seen, not changed, by whoever may not punish', async () => {
    await speak('en')
    await show(set, false)
    expect(text()).toContain('Set by hand')
    expect(acts()).toEqual([])
  })
  it.each(['ja', 'zh-Hans', 'zh-Hant', 'ko'] as const)('is said in %s', async (language) => {
    await speak(language)
    await show(set)
    expect(text()).toMatch(/5.*72|72.*5/)
    expect(text()).toContain('ada')
    expect(text()).not.toMatch(/economy\.|in place/)
  })
})
