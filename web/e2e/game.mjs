// What a game server and its players do, so that moderators have something to work on.
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'

export class Game {
  constructor({ url, app, secret }) { Object.assign(this, { url, app, secret }) }

  /** A call that the app signs; method and path as they are below /api/v1. */
  async call(method, path, body) {
    const target = `/api/v1${path}`
    const text = body === undefined ? '' : JSON.stringify(body)
    for (let tries = 0; ; tries++) {
      const at = String(Math.floor(Date.now() / 1000))
      const nonce = randomUUID()
      const said = ['SVC1-HMAC-SHA256', this.app, at, nonce, method, target, createHash('sha256').update(text).digest('hex')].join('\n')
      const signature = createHmac('sha256', this.secret).update(said).digest('hex')
      const headers = { Authorization: `SVC ${this.app}:${signature}:${at}`, 'X-SVC-Nonce': nonce, 'Content-Type': 'application/json' }
      const res = await fetch(this.url + target, { method, headers, ...(text ? { body: text } : {}) })
      if (res.status !== 429 || tries > 20) return answer(res, `${method} ${path}`)
      await sleep((await res.json()).retry_after_ms ?? 500)
    }
  }

  check(content, more = {}) { return this.call('POST', '/text/check', { content, ...more }) }

  /** Sends entries of a log: currency, item or trade. */
  async submit(log, entries) {
    for (let i = 0; i < entries.length; i += 200) await this.call('POST', `/economy/${log}-log`, { app_id: this.app, logs: entries.slice(i, i + 200) })
  }

  async token() { return (this.held ??= (await this.call('POST', '/auth/token', {})).access_token) }

  /** Has a picture checked. */
  async picture(file, meta) {
    const form = new FormData()
    form.set('meta', JSON.stringify(meta))
    form.set('file', new Blob([file], { type: 'image/png' }), 'p.png')
    const res = await fetch(`${this.url}/api/v1/image/check`, { method: 'POST', headers: { Authorization: `Bearer ${await this.token()}` }, body: form })
    return answer(res, 'image/check')
  }

  /** Puts a picture into a bank of the app's own, and has what the bank knows labelled. */
  async bank(name, category, file) {
    await this.call('PUT', `/image-banks/${name}`, { category, state: 'live' })
    const res = await fetch(`${this.url}/api/v1/image-banks/${name}/pictures`, { method: 'POST', headers: { Authorization: `Bearer ${await this.token()}`, 'Content-Type': 'image/png' }, body: file })
    return answer(res, 'image-banks/pictures')
  }

  /** Players that have joined a scene and can talk there. */
  async scene(id, ...names) {
    const players = {}
    for (const name of names) {
      const { ticket } = await this.call('POST', '/auth/ticket', { player_id: name, scenes: [id] })
      players[name] = await join(this.url, ticket, id)
    }
    return players
  }
}

async function answer(res, what) {
  const body = await res.json()
  if (!res.ok) throw new Error(`${what}: ${res.status} ${JSON.stringify(body)}`)
  return body
}

/** A player of a scene: say resolves with the verdict. */
async function join(url, ticket, scene) {
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}/api/v1/stream`, ['portcullis.v1', `bearer.${ticket}`])
  const waiting = new Map()
  const expect = (key) => new Promise((ok, bad) => {
    waiting.set(key, ok)
    setTimeout(() => bad(new Error(`no answer to ${key}`)), 60_000).unref()
  })
  ws.on('message', (text) => {
    const frame = JSON.parse(text)
    const key = frame.type === 'ready' ? 'ready' : frame.id
    waiting.get(key)?.(frame)
    waiting.delete(key)
  })
  await new Promise((ok, bad) => { ws.once('open', ok); ws.once('error', bad) })
  const ready = expect('ready')
  ws.send(JSON.stringify({ type: 'hello', id: 'h' }))
  await ready
  const joined = expect('j')
  ws.send(JSON.stringify({ type: 'join', id: 'j', scene_id: scene }))
  await joined
  return {
    async say(content, language) {
      const id = randomUUID()
      const verdict = expect(id)
      ws.send(JSON.stringify({ type: 'chat', id, scene_id: scene, content, ...(language ? { language } : {}) }))
      return verdict
    },
    leave: () => ws.close(),
  }
}
