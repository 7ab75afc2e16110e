import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../src/lib/api'
import { backoff, fateOf, type LinkState } from '../src/lib/link'
import { PlayerClient } from '../src/lib/player'
import type { VoiceVerdict } from '../src/lib/wire'
import { FakeSocket } from './fakesocket'

const ready = { type: 'ready', session_id: 's1', resume_token: 't1', epoch: 'e1', heartbeat_ms: 10_000, resume_window_ms: 120_000 } as const

function setup(ticket: () => Promise<string> = async () => 'ticket') {
  const socks: FakeSocket[] = []
  const states: LinkState[] = []
  const got: unknown[] = []
  let n = 0
  const note = (x: unknown) => { got.push(x) }
  const client = new PlayerClient({
    url: () => 'ws://x/api/v1/stream', ticket, random: () => 0.5, newId: () => `id${++n}`,
    socket: (url, protocols) => { const s = new FakeSocket(url, protocols); socks.push(s); return s },
  }, {
    onState: (s) => states.push(s), onVerdict: note, onMessage: note, onRetract: note, onNotice: note,
    onRefused: (id, code) => note({ refused: id, code }), onVoice: (v) => note({ voice: v.request_id }), onVoiceMute: (m) => note({ muted: m.until }), onReset: (reason) => note({ reset: reason }),
  })
  const sock = () => socks.at(-1) as FakeSocket
  const phase = () => states.at(-1)?.phase
  return { client, socks, sock, states, phase, got }
}
async function connected() {
  const t = setup()
  t.client.enter('lobby')
  t.client.start()
  await vi.advanceTimersByTimeAsync(0)
  t.sock().open()
  t.sock().push(ready)
  return t
}
async function again(t: ReturnType<typeof setup>, wait = 2000) {
  const before = t.socks.length
  await vi.advanceTimersByTimeAsync(wait)
  expect(t.socks.length).toBe(before + 1)
  t.sock().open()
}
const message = (seq: number) => ({ type: 'message', seq, scene_id: 'lobby', message_id: `m${seq}`, player_id: 'bob', content: `c${seq}`, sent_at: '' } as const)

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

describe('calls', () => {
  it('offers in the scene, and gives the answer', async () => {
    const t = await connected()
    const answer = t.client.call('my sdp')
    const offer = t.sock().last('voice.offer')
    expect(offer).toMatchObject({ scene_id: 'lobby', sdp: 'my sdp' })
    t.sock().push({ type: 'voice.answer', id: offer?.['id'] as string, sdp: 'theirs' })
    await expect(answer).resolves.toBe('theirs')
    t.client.hangUp()
    expect(t.sock().last('voice.close')).toBeDefined()
  })
  it('says why there is none: refused, no answer, no connection, stopped', async () => {
    const t = await connected()
    const refused = t.client.call('a')
    t.sock().push({ type: 'error', id: t.sock().last('voice.offer')?.['id'] as string, code: 1004, message: 'the player\u2019s voice is muted' })
    await expect(refused).rejects.toMatchObject({ code: 1004, message: 'the player\u2019s voice is muted' })
    expect(t.got).toEqual([])
    const silent = expect(t.client.call('b')).rejects.toThrow('did not answer')
    for (let i = 0; i < 3; i++) { // the heartbeat is answered meanwhile
      await vi.advanceTimersByTimeAsync(6_000)
      t.sock().push({ type: 'pong' })
    }
    await silent
    const stopped = expect(t.client.call('c')).rejects.toThrow('stopped')
    t.client.stop()
    await stopped
    await expect(t.client.call('d')).rejects.toThrow('no connection')
  })
  it('tells of verdicts and of a mute, once each', async () => {
    const t = await connected()
    const verdict: VoiceVerdict = { type: 'voice.verdict', seq: 1, scene_id: 'lobby', at_ms: 900, request_id: 'r', suggestion: 'review', action: 'deliver', categories: ['violence'], latency_ms: 200 }
    t.sock().push(verdict)
    t.sock().push(verdict)
    t.sock().push({ type: 'voice.mute', seq: 2, scene_id: 'lobby' })
    expect(t.got).toEqual([{ voice: 'r' }, { muted: undefined }])
  })
})

describe('connecting', () => {
  it('offers the ticket as a second subprotocol, says hello, joins', async () => {
    const t = await connected()
    expect(t.sock().protocols).toEqual(['portcullis.v1', 'bearer.ticket'])
    expect(t.sock().url).not.toContain('ticket')
    expect(t.sock().sent[0]).toMatchObject({ type: 'hello' })
    expect(t.sock().last('join')).toMatchObject({ scene_id: 'lobby' })
    expect(t.phase()).toBe('open')
  })
  it('leaves one scene and joins the other', async () => {
    const t = await connected()
    t.client.enter('raid')
    expect(t.sock().last('leave')).toMatchObject({ scene_id: 'lobby' })
    expect(t.sock().last('join')).toMatchObject({ scene_id: 'raid' })
  })
  it('gives each message an id of its own', async () => {
    const t = await connected()
    const ids = [t.client.say('a'), t.client.say('a')]
    expect(new Set(ids).size).toBe(2)
    expect(t.sock().all('chat').map((m) => m['id'])).toEqual(ids)
  })
  it('stops where there is no demo, and tries again where the gateway is away', async () => {
    const none = setup(async () => { throw new ApiError(3002, 404, 'not found') })
    none.client.start()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(none.phase()).toBe('stopped')
    let up = false
    const later = setup(async () => { if (!up) throw new ApiError(-1, 0, 'away'); return 'ticket' })
    later.client.start()
    await vi.advanceTimersByTimeAsync(3000)
    expect([later.phase(), later.socks.length]).toEqual(['waiting', 0])
    up = true
    await vi.advanceTimersByTimeAsync(5000)
    expect(later.socks.length).toBe(1)
  })
})

describe('resume', () => {
  it('shows token, epoch and the newest seq, and sees every push once', async () => {
    const t = await connected()
    t.sock().push(message(1))
    t.sock().push(message(2))
    t.sock().lose()
    expect(t.phase()).toBe('waiting')
    await again(t)
    expect(t.sock().sent[0]).toMatchObject({ type: 'resume', session_id: 's1', resume_token: 't1', epoch: 'e1', last_seq: 2 })
    t.sock().push({ type: 'resumed', resume_token: 't2', from: 3, count: 1 })
    t.sock().push(message(2))
    t.sock().push(message(3))
    expect(t.got).toEqual([message(1), message(2), message(3)])
    expect(t.sock().last('join')).toBeUndefined()
  })
  it('uses the new token the next time', async () => {
    const t = await connected()
    t.sock().lose()
    await again(t)
    t.sock().push({ type: 'resumed', resume_token: 't2', from: 1, count: 0 })
    t.sock().lose(1012)
    await again(t)
    expect(t.sock().sent[0]).toMatchObject({ type: 'resume', resume_token: 't2' })
  })
  it('says unanswered messages again under their ids, and only those', async () => {
    const t = await connected()
    const a = t.client.say('answered') as string
    const b = t.client.say('not answered')
    t.sock().push({ type: 'verdict', id: a, request_id: 'r', suggestion: 'pass', action: 'deliver', categories: [], latency_ms: 1 })
    t.sock().lose()
    const c = t.client.say('said while away')
    await again(t)
    t.sock().push({ type: 'resumed', resume_token: 't2', from: 1, count: 0 })
    expect(t.sock().all('chat').map((m) => m['id'])).toEqual([b, c])
  })
  it('starts anew after reset: joins again, counts from one, tells', async () => {
    const t = await connected()
    t.sock().push(message(9))
    t.sock().lose()
    await again(t)
    t.sock().push({ type: 'reset', reason: 'epoch' })
    t.sock().push({ ...ready, session_id: 's2', resume_token: 'u1' })
    expect(t.sock().last('join')).toMatchObject({ scene_id: 'lobby' })
    t.sock().push(message(1))
    expect(t.got).toEqual([message(9), { reset: 'epoch' }, message(1)])
    t.sock().lose()
    await again(t)
    expect(t.sock().sent[0]).toMatchObject({ type: 'resume', session_id: 's2', resume_token: 'u1', last_seq: 1 })
  })
  it('says hello past the window and after 4007', async () => {
    const t = await connected()
    t.sock().lose(4007)
    await again(t)
    expect(t.sock().sent[0]).toMatchObject({ type: 'hello' })
    t.sock().push(ready)
    t.sock().lose()
    for (let i = 0; i < 20; i++) { // the gateway stays away for longer than the window
      await vi.advanceTimersByTimeAsync(15_000)
      t.sock().lose()
    }
    await vi.advanceTimersByTimeAsync(15_000)
    t.sock().open()
    expect(t.sock().sent[0]).toMatchObject({ type: 'hello' })
  })
})

describe('losing and leaving', () => {
  it('knows which close codes end it', () => {
    expect([1001, 1006, 1012, 1013, 4008, 4009, 4010].map(fateOf)).toEqual(Array(7).fill('resume'))
    expect([1002, 1003, 1007, 1009, 4001, 4002, 4003, 4005, 4006, 4029].map(fateOf)).toEqual(Array(10).fill('stop'))
    expect(fateOf(4007)).toBe('fresh')
  })
  it('stays away after 4005 until it is asked to come back', async () => {
    const t = await connected()
    t.sock().lose(4005)
    await vi.advanceTimersByTimeAsync(600_000)
    expect([t.phase(), t.socks.length]).toEqual(['stopped', 1])
    t.client.retryNow()
    await vi.advanceTimersByTimeAsync(0)
    expect(t.socks.length).toBe(2)
  })
  it('waits longer each time, never more than 15 s', () => {
    expect([0, 1, 2, 3, 20].map((n) => backoff(n, () => 1))).toEqual([500, 1000, 2000, 4000, 15_000])
    expect(backoff(3, () => 0)).toBe(2000)
  })
  it('comes back when a drain says so', async () => {
    const t = await connected()
    t.sock().push({ type: 'drain', reconnect_in_ms: 7000 })
    t.sock().lose(1012)
    await vi.advanceTimersByTimeAsync(6900)
    expect(t.socks.length).toBe(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(t.socks.length).toBe(2)
  })
  it('beats with the newest seq and gives a silent gateway up', async () => {
    const t = await connected()
    t.sock().push(message(4))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(t.sock().last('ping')).toEqual({ type: 'ping', seq: 4 })
    t.sock().push({ type: 'pong' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(t.phase()).toBe('open')
    const old = t.sock()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(old.closedWith).toBe(4009)
    expect(t.phase()).not.toBe('open')
  })
  it('gives up an upgrade that hangs', async () => {
    const t = setup()
    t.client.start()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(t.phase()).toBe('waiting')
  })
  it('refuses more than sixteen unanswered messages', async () => {
    const t = await connected()
    for (let i = 0; i < 16; i++) expect(t.client.say(`${i}`)).not.toBeNull()
    expect(t.client.say('one more')).toBeNull()
  })
  it('tells which message was refused', async () => {
    const t = await connected()
    const id = t.client.say('x') as string
    t.sock().push({ type: 'error', id, code: 1003, message: 'rate limit exceeded' })
    expect(t.got).toEqual([{ refused: id, code: 1003 }])
  })
  it('is silent after stop', async () => {
    const t = await connected()
    t.client.stop()
    await vi.advanceTimersByTimeAsync(600_000)
    expect([t.phase(), t.socks.length]).toEqual(['idle', 1])
  })
})
