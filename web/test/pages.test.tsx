import axe from 'axe-core'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { App } from '../src/console/App'
import { App as Demo } from '../src/demo/App'
import type { FeedEvent } from '../src/lib/wire'
import { event } from './events'
import { screens } from '../src/console/screens'
import { settle, Wrap } from './wrap'

const Console = () => <Wrap><App /></Wrap>
// The chunks of the screens: fetched before, so that a page stands after one turn.
beforeAll(() => Promise.all(screens.map((s) => s.load())), 60_000)

// jsdom has no layout, media queries or sockets: the least of each that the pages need.
class Socket extends EventTarget {
  static all: Socket[] = []
  readyState = 0
  sent: { type: string; id?: string }[] = []
  onopen: (() => void) | null = null
  onmessage: ((ev: { data: string }) => void) | null = null
  onclose: ((ev: { code: number }) => void) | null = null
  constructor(readonly url: string, readonly protocols: string[]) { super(); Socket.all.push(this) }
  send(data: string) {
    const m = JSON.parse(data) as { type: string; id?: string }
    this.sent.push(m)
    if (m.type === 'hello') this.push({ type: 'ready', session_id: 's', resume_token: 't', epoch: 'e', heartbeat_ms: 30_000, resume_window_ms: 120_000 })
    else if (m.id) this.push({ type: 'ok', id: m.id })
  }
  push(frame: object) { this.onmessage?.({ data: JSON.stringify(frame) }) }
  open() { this.readyState = 1; this.onopen?.() }
  close() { this.readyState = 3 }
}

type Answer = [number, object]
let answers: Record<string, Answer>
let calls: { path: string; body: unknown }[]
let root: Root
let host: HTMLElement

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('WebSocket', Socket)
  Socket.all = []
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  vi.stubGlobal('ResizeObserver', class { observe() {} unobserve() {} disconnect() {} })
  answers = {
    'auth/me': [200, { name: 'Mod', role: 'moderator' }],
    status: [200, { version: '0.1.0', ready: true, degraded: false, components: [{ name: 'database', state: 'ok', detail: 'sqlite' }, { name: 'redis', state: 'ok', detail: 'embedded: state is in memory' }, { name: 'engine:text', state: 'ok' }, { name: 'engine:image', state: 'absent' }] }],
    'queues?app_id=demo': [200, { queues: [{ queue: 'abuse', count: 3, open: 3, claimed: 0, held: 0, overdue: 1, oldest_at: new Date().toISOString(), oldest_age_s: 1, owners: [] }] }],
    'apps/names': [200, { apps: ['demo'] }],
    'cases?state=pending&limit=100': [200, { cases: [] }],
    'demo/session': [200, { ticket: 'x', expires_in: 60, scenes: [{ scene_id: 'demo-realtime', mode: 'real_time_block' }, { scene_id: 'demo-prereview', mode: 'pre_review' }] }],
  }
  calls = []
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    const path = url.href.replace(/^.*\/api\/v1\//, '')
    calls.push({ path, body: init.body ? JSON.parse(String(init.body)) : null })
    const [status, body] = answers[path] ?? [404, { code: 3002, message: 'not found' }]
    return new Response(JSON.stringify({ code: 0, request_id: 'r', ...body }), { status })
  })
  // axe asks a canvas about icon fonts, of which there are none.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  location.hash = ''
  document.documentElement.lang = 'en'
  document.title = 'test'
  host = document.createElement('div')
  document.body.replaceChildren(host)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function show(node: ReactNode) {
  root = createRoot(host)
  await act(async () => root.render(node))
  await settle()
}
async function type(label: string, value: string) {
  const l = [...document.querySelectorAll('label')].find((x) => x.textContent === label)
  const input = document.getElementById(l?.htmlFor ?? '') as HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}
/** Fills a field of the decision, of any kind, whose label begins with these words. */
async function fill(label: string, value: string) {
  const within = [...document.querySelectorAll('.decide label')].filter((x) => x.textContent?.startsWith(label)).map((x) => x.querySelector('input, textarea, select'))
  const field = within.find((f) => f) as HTMLInputElement
  await act(async () => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
  })
}
const button = (name: string) => [...document.querySelectorAll('button')].find((b) => (b.getAttribute('aria-label') ?? b.textContent) === name) as HTMLButtonElement
const press = async (b: HTMLElement) => { await act(async () => b.click()); await settle() }
const text = () => document.body.textContent ?? ''
async function clean() {
  const { violations } = await axe.run(document, { rules: { 'color-contrast': { enabled: false }, 'scrollable-region-focusable': { enabled: false } } })
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`)).toEqual([])
}
async function feed(...events: Partial<FeedEvent>[]) {
  await show(<Console />)
  await act(async () => Socket.all.at(-1)?.open())
  await act(async () => { for (const e of events) Socket.all.at(-1)?.push(event(e)) })
  await settle()
}

describe('the console’s door', () => {
  beforeEach(() => { answers['auth/me'] = [200, { setup_needed: true }] })
  it('asks to sign in, and says where the setup link is', async () => {
    await show(<Console />)
    expect(text()).toContain('Sign in')
    expect(text()).toContain('one-time setup link')
    await clean()
  })
  it('says when name or password is wrong, and waits when told to', async () => {
    await show(<Console />)
    answers['auth/login'] = [401, { code: 1002, message: 'authentication failure' }]
    await type('Name', 'a')
    await type('Password', 'b')
    await press(button('Sign in'))
    expect(text()).toContain('Name or password is not right.')
    answers['auth/login'] = [429, { code: 1003, message: 'rate limit exceeded', retry_after_ms: 7000 }]
    await type('Password', 'b')
    await press(button('Sign in'))
    expect(text()).toContain('again in 7 s')
    expect(button('Sign in').disabled).toBe(true)
  })
  it('sets up the first administrator', async () => {
    location.hash = '#/setup?token=abc'
    await show(<Console />)
    await clean()
    await type('Name', 'Ada')
    await type('Password', 'too short')
    await type('Password again', 'differs')
    await press(button('Create and sign in'))
    expect(text()).toContain('at least 12 characters')
    expect(text()).toContain('The two passwords differ.')
    expect(calls.some((c) => c.path === 'auth/setup')).toBe(false)
    answers['auth/setup'] = answers['auth/me'] = [200, { name: 'Ada', role: 'admin' }]
    await type('Password', 'long enough words')
    await type('Password again', 'long enough words')
    await press(button('Create and sign in'))
    expect(calls.find((c) => c.path === 'auth/setup')?.body).toEqual({ token: 'abc', name: 'Ada', password: 'long enough words' })
    expect(text()).toContain('Live feed')
    expect(location.hash).toBe('#/feed')
  })
})

describe('the live feed', () => {
  it('says that it waits, and where state is kept', async () => {
    await feed()
    expect(Socket.all[0]?.protocols).toEqual(['portcullis.v1'])
    expect(text()).toContain('Waiting for the first message')
    expect(text()).toContain('State in memory')
    await clean()
  })
  it('hides the content until it is asked for', async () => {
    await feed({ content: 'secret words', suggestion: 'block', action: 'drop', hits: [{ start: 0, end: 6 }], label: [{ category: 'hate', confidence: 0.93, severity: 3, source: 'lexicon' }] })
    expect(text()).toContain('Blocked')
    expect(document.body.innerHTML).not.toContain('secret')
    await press(button('Show the content'))
    expect(document.querySelector('mark')?.textContent).toBe('secret')
    await press(document.querySelector('[role="row"][aria-selected]') as HTMLElement)
    expect(text()).toContain('93%')
    expect(text()).toContain('Severity 3 of 4')
    await clean()
  })
  it('shows markup of players as text', async () => {
    await feed({ content: '<img src=x onerror=alert(1)> http://bad.example' })
    await press(button('Show the content'))
    expect(document.querySelector('.cell-text img, .cell-text a')).toBeNull()
    expect(text()).toContain('<img src=x')
  })
  it('approves what is held, under the version seen', async () => {
    answers['cases/c1/decide'] = [200, { case_id: 'c1' }]
    await feed({ action: 'hold', case_id: 'c1', case_version: 4, mode: 'pre_review' })
    await press(document.querySelector('[role="row"][aria-selected]') as HTMLElement)
    await clean()
    await fill('Rule', ' house rules 2 ')
    await fill('Reason', 'banter')
    await press(button('Approve'))
    expect(calls.find((c) => c.path === 'cases/c1/decide')?.body).toEqual({ decision: 'approve', policy: 'house rules 2', reason: 'banter', version: 4 })
    expect(text()).toContain('Approved by Mod.')
  })
  it('asks for the version where the event told none', async () => {
    answers['cases/c1/decide'] = [200, { case_id: 'c1' }]
    answers['cases?state=pending&limit=200'] = [200, { cases: [{ case_id: 'c1', version: 7 }] }]
    await feed({ action: 'hold', case_id: 'c1', case_version: 0 })
    await press(document.querySelector('[role="row"][aria-selected]') as HTMLElement)
    await fill('Reason', 'insult')
    await press(button('Reject'))
    // The rule is that of the last decision, the category the one that was found.
    expect(calls.find((c) => c.path === 'cases/c1/decide')?.body).toEqual({ decision: 'reject', policy: 'house rules 2', reason: 'insult', version: 7 })
  })
  it('says what is missing, and names the category of what nothing was found in', async () => {
    answers['cases/c1/decide'] = [400, { code: 1001, message: 'invalid parameter', errors: [{ pointer: '/reason', reason: 'is required' }] }]
    await feed({ action: 'hold', case_id: 'c1', case_version: 2, mode: 'pre_review', label: [] })
    await press(document.querySelector('[role="row"][aria-selected]') as HTMLElement)
    await press(button('Reject'))
    expect(text()).toContain('reason: is required')
    answers['cases/c1/decide'] = [200, { case_id: 'c1' }]
    calls = []
    await fill('Category', 'spam')
    await fill('Reason', 'sells')
    await press(button('Reject'))
    expect(calls.find((c) => c.path === 'cases/c1/decide')?.body).toEqual({ decision: 'reject', policy: 'house rules 2', reason: 'sells', category: 'spam', version: 2 })
  })
  it('says when somebody else was first', async () => {
    answers['cases/c1/decide'] = [409, { code: 1007, message: 'conflict' }]
    answers['cases?state=pending&limit=200'] = [200, { cases: [] }]
    await feed({ action: 'hold', case_id: 'c1', case_version: 1 })
    await press(document.querySelector('[role="row"][aria-selected]') as HTMLElement)
    await press(button('Reject'))
    expect(text()).toContain('Somebody else has decided this case.')
  })
  it('gives viewers no decision', async () => {
    answers['auth/me'] = [200, { name: 'V', role: 'viewer' }]
    await feed({ action: 'hold', case_id: 'c1', case_version: 1 })
    await press(document.querySelector('[role="row"][aria-selected]') as HTMLElement)
    expect(text()).toContain('not decide it')
    expect(button('Approve')).toBeUndefined()
  })
  it('says what is degraded', async () => {
    answers['status'] = [200, { version: '1', ready: true, degraded: true, components: [{ name: 'redis', state: 'degraded', detail: 'not answering' }, { name: 'engine:text', state: 'down' }] }]
    await feed()
    expect(text()).toContain('Degraded: Redis not answering')
    expect(text()).toContain('text engine down')
  })
  it('says that a lost connection is tried again', async () => {
    await feed()
    await act(async () => Socket.all[0]?.onclose?.({ code: 1006 }))
    expect(text()).toContain('No connection to the gateway')
    expect(text()).toMatch(/Reconnecting/)
  })
})

describe('health', () => {
  it('says what each model is and which categories have none', async () => {
    answers['models'] = [200, {
      runtime: 'ONNX Runtime 1.27.0',
      models: [
        { id: 'nudity-x', kind: 'image', name: 'Nudity X', version: '4', package: 'npm:x@4', licence: 'MIT', origin: 'somewhere', state: 'loaded', reason: '', limits: 'Misses much.', files: [{ name: 'x.onnx', sha256: 'abc', bytes: 17_000_000 }], detects: [{ category: 'nudity', sub_label: 'drawn', what: 'drawings' }] },
        { id: 'own-y', kind: 'own', name: 'own-y', version: '', package: '', licence: '', origin: '', state: 'failed', reason: 'own-y.onnx: no such file', limits: '', files: [], detects: [] },
      ],
      categories: [
        { category: 'nudity', what: 'nudity', state: 'model', besides: '', models: ['nudity-x'] },
        { category: 'extremism', what: 'symbols', state: 'no_model', besides: 'pictures that a bank knows', models: [] },
      ],
    }]
    await show(<Console />)
    await act(async () => { location.hash = '#/health'; window.dispatchEvent(new HashChangeEvent('hashchange')) })
    await settle()
    await settle()
    expect(text()).toContain('ONNX Runtime 1.27.0')
    expect(text()).toContain('3 cases wait')
    const row = (name: string) => [...document.querySelectorAll('.sheet tbody tr')].find((r) => r.textContent?.startsWith(name))?.textContent
    expect(row('Nudity')).toContain('nudity-x')
    expect(row('Extremism')).toContain('no model: not detected')
    expect(text()).toContain('Misses much.')
    expect(text()).toContain('own-y.onnx: no such file')
    expect(document.querySelector('.rail-item[aria-current]')?.textContent).toBe('Health')
    await clean()
  })
})

describe('the demo', () => {
  it('connects two players and shows both sides of a message', async () => {
    answers['auth/me'] = [200, { setup_needed: false }]
    await show(<Demo />)
    await act(async () => Socket.all.forEach((s) => s.open()))
    await settle()
    expect(Socket.all.map((s) => s.protocols)).toEqual([['portcullis.v1', 'bearer.x'], ['portcullis.v1', 'bearer.x']])
    expect(text()).toContain('Sign in to the console')
    await clean()
    const [alice, bob] = Socket.all as [Socket, Socket]
    await act(async () => {
      bob.push({ type: 'message', seq: 1, scene_id: 'demo-realtime', message_id: 'm', player_id: 'alice', content: 'gg wp', sent_at: '' })
      bob.push({ type: 'retract', seq: 2, scene_id: 'demo-realtime', message_id: 'm', reason: 'policy' })
      alice.push({ type: 'notice', seq: 1, kind: 'warning', text: 'Please keep it friendly.' })
    })
    expect(document.querySelector('.retracted')?.textContent).toContain('gg wp')
    expect(text()).toContain('Please keep it friendly.')
    await clean()
  })
  it('says where there is no demo', async () => {
    answers['demo/session'] = [404, { code: 3002, message: 'not found' }]
    await show(<Demo />)
    expect(text()).toContain('offers no demo here')
  })
})
