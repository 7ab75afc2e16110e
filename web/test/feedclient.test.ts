import { expect, it } from 'vitest'
import { FeedClient } from '../src/lib/feed'
import type { LinkState } from '../src/lib/link'
import { FakeSocket } from './fakesocket'

/** A client on an open link that has asked for the feed, and what it has told the page. */
async function asked() {
  const socks: FakeSocket[] = []
  const told: (LinkState | string)[] = []
  const client = new FeedClient({
    onState: (s) => told.push(s), onEvent: () => told.push('event'), onDropped: () => undefined,
    onSubscribed: () => told.push('subscribed'), onRefused: (code) => told.push(`refused ${code}`),
  }, { url: () => 'ws://x', check: async () => undefined, socket: (url, protocols) => { const s = new FakeSocket(url, protocols); socks.push(s); return s } })
  client.start()
  await new Promise((r) => { setTimeout(r, 0) })
  const sock = socks[0] as FakeSocket
  sock.open()
  sock.push({ type: 'ready', session_id: 's', resume_token: 't', epoch: 'e', heartbeat_ms: 10_000, resume_window_ms: 120_000 })
  return { client, sock, told, phase: () => (told.findLast((x) => typeof x !== 'string') as LinkState).phase }
}

it('is live once it is subscribed, since nothing comes before', async () => {
  const { client, sock, told, phase } = await asked()
  expect(sock.all('feed.subscribe')).toHaveLength(1)
  expect(told.map((x) => typeof x === 'string' ? x : x.phase)).not.toContain('open')
  expect(phase()).toBe('connecting')
  sock.push({ type: 'ok', id: 'f' })
  expect(phase()).toBe('open')
  expect(told.at(-1)).toBe('subscribed')
  sock.lose(4005)
  expect(phase()).toBe('stopped')
  client.stop()
})
it('asks again for a feed that was refused, on the link that stands', async () => {
  const { client, sock, told, phase } = await asked()
  sock.push({ type: 'error', id: 'f', code: 3002, message: 'overloaded' })
  expect(told.slice(-2)).toEqual([{ phase: 'stopped', code: 3002, reason: 'overloaded' }, 'refused 3002'])
  client.retryNow()
  expect(sock.all('feed.subscribe')).toHaveLength(2)
  expect(phase()).toBe('connecting')
  sock.push({ type: 'ok', id: 'f' })
  expect(phase()).toBe('open')
  client.stop()
})
