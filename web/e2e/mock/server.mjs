// A stand-in for the gateway while the pages are worked on: it serves dist with
// the gateway's security headers and speaks enough of the contract for both
// pages. It checks nothing of what it is sent. Not part of any build.
//   node e2e/mock/server.mjs [--port 8090] [--rate 5]
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import { randomBytes, randomUUID } from 'node:crypto'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import { judge, lines } from './judge.mjs'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
const scenes = [
  { scene_id: 'demo-realtime', mode: 'real_time_block' }, { scene_id: 'demo-mask', mode: 'real_time_block' },
  { scene_id: 'demo-deferred', mode: 'deferred_review' }, { scene_id: 'demo-prereview', mode: 'pre_review' },
  { scene_id: 'demo-monitor', mode: 'monitor_only' },
]

export async function startMock({ port = 0, rate = 0 } = {}) {
  const users = new Map()
  const cookies = new Map()
  const tickets = new Map()
  const sessions = new Map()
  const cases = new Map()
  const feeds = new Set()
  const setupToken = randomBytes(12).toString('hex')
  const status = { ready: true, degraded: false, version: 'mock', components: [{ name: 'database', state: 'ok', detail: 'sqlite' }, { name: 'redis', state: 'ok', detail: 'embedded: state is in memory and ends with this process' }, { name: 'stream', state: 'ok', detail: '2 sessions' }, { name: 'engine:text', state: 'ok', detail: 'lexicon and rules' }, { name: 'engine:image', state: 'absent', detail: 'not in this version' }] }

  const me = (req) => cookies.get(/pc=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? '')
  const json = (res, code, body, httpStatus = 200, headers = {}) => {
    const request_id = randomUUID()
    res.writeHead(httpStatus, { 'Content-Type': 'application/json', 'X-Request-Id': request_id, ...headers })
    res.end(JSON.stringify({ code, request_id, ...body }))
  }
  const fail = (res, code, httpStatus, message, more = {}) => json(res, code, { message, ...more }, httpStatus)
  const signIn = (res, user) => {
    const c = randomBytes(12).toString('hex')
    cookies.set(c, user)
    json(res, 0, { name: user.name, role: user.role }, 200, { 'Set-Cookie': `pc=${c}; HttpOnly; Path=/; SameSite=Lax` })
  }

  function emit(ev) {
    const frame = JSON.stringify({ type: 'feed.event', event_id: randomUUID(), at: new Date().toISOString(), app_id: 'demo', kind: 'text', ...ev })
    for (const ws of feeds) ws.send(frame)
  }
  function push(s, frame) {
    s.seq++
    const text = JSON.stringify({ ...frame, seq: s.seq })
    s.log.push([s.seq, text])
    s.ws?.send(text)
  }
  const others = (s, scene) => [...sessions.values()].filter((o) => o !== s && o.joined.has(scene))
  const deliver = (s, scene, id, content) => others(s, scene).forEach((o) => push(o, { type: 'message', scene_id: scene, message_id: id, player_id: s.player, content, sent_at: new Date().toISOString() }))

  function chat(s, m) {
    const mode = scenes.find((x) => x.scene_id === m.scene_id)?.mode ?? 'real_time_block'
    const v = judge(m.content, mode, m.scene_id === 'demo-mask')
    const request_id = randomUUID()
    let c
    if (v.case) {
      c = { case_id: randomUUID(), app_id: 'demo', request_id, player_id: s.player, scene_id: m.scene_id, state: 'open', held: v.action === 'hold', version: 1, created_at: new Date().toISOString(), content: m.content, mode, action: v.action, suggestion: v.suggestion, label: v.label, hits: v.hits, session: s }
      cases.set(c.case_id, c)
    }
    const event = { scene_id: m.scene_id, player_id: s.player, request_id, suggestion: v.suggestion, action: v.action, label: v.observed ? [] : v.label, content: m.content, hits: v.hits, latency_ms: v.latency, mode, ...(v.observed ? { observed: { suggestion: v.observed, label: v.label } } : {}), ...(c ? { case_id: c.case_id, case_version: 1 } : {}), ...(v.warn ? { warn: true } : {}) }
    const answer = { type: 'verdict', id: m.id, request_id, suggestion: v.suggestion, action: v.action, categories: v.observed ? [] : v.label.map((l) => l.category), latency_ms: v.latency, ...(v.masked ? { content: v.masked } : {}) }
    if (mode === 'deferred_review') {
      s.ws?.send(JSON.stringify({ ...answer, suggestion: 'pass', action: 'deliver', categories: [], pending: true }))
      deliver(s, m.scene_id, request_id, m.content)
      setTimeout(() => {
        push(s, { ...answer, id: undefined })
        if (v.suggestion === 'block') others(s, m.scene_id).forEach((o) => push(o, { type: 'retract', scene_id: m.scene_id, message_id: request_id, reason: 'policy' }))
        emit(event)
      }, 700)
      return
    }
    s.ws?.send(JSON.stringify(answer))
    if (v.warn) push(s, { type: 'notice', kind: 'warning', category: v.label[0]?.category, text: 'Please keep it friendly.' })
    if (v.action === 'deliver' || v.action === 'mask') deliver(s, m.scene_id, request_id, v.masked ?? m.content)
    emit(event)
  }

  async function route(req, res, body) {
    const { pathname } = new URL(req.url, 'http://x')
    const p = pathname.replace('/api/v1/', '')
    const user = me(req)
    if (p === 'auth/setup') {
      if (users.size || body.token !== setupToken) return fail(res, 1002, 401, 'authentication failure')
      const u = { name: body.name, role: 'admin', password: body.password }
      users.set(u.name, u)
      return signIn(res, u)
    }
    if (p === 'auth/login') {
      const u = users.get(body.name)
      if (body.name === 'slow') return fail(res, 1003, 429, 'rate limit exceeded', { retry_after_ms: 9000 })
      return u?.password === body.password ? signIn(res, u) : fail(res, 1002, 401, 'authentication failure')
    }
    if (p === 'demo/session') {
      const ticket = randomBytes(12).toString('hex')
      tickets.set(ticket, body.player_id)
      return json(res, 0, { ticket, expires_in: 300, scenes })
    }
    if (p === 'demo/explain') {
      const v = judge(body.content, 'real_time_block', false)
      return json(res, 0, {
        explanation: {
          suggestion: v.suggestion, action: v.action, mode: 'real_time_block', policy_version: 'mock',
          signals: v.label.map((l, i) => {
            const { start, end } = v.hits[i] ?? { start: 0, end: 0 }
            return { severity: 2, source: 'lexicon', ...l, rule: 'mock/entry', steps: ['joined'], start, end, matched: [...body.content].slice(start, end).join(''), leads_to: v.suggestion, why: 'sure enough', reasons: [{ what: 'a word', weight: 1.2 }, { what: 'another', weight: -0.4 }] }
          }),
        },
      })
    }
    if (p === 'auth/me') return json(res, 0, user ? { name: user.name, role: user.role } : { setup_needed: users.size === 0 })
    if (!user) return fail(res, 1002, 401, 'authentication failure')
    if (p === 'auth/logout') return json(res, 0, {}, 200, { 'Set-Cookie': 'pc=; Max-Age=0; Path=/' })
    if (p === 'status') return json(res, 0, status)
    if (p === 'apps/names') return json(res, 0, { apps: ['demo'] })
    if (p === 'queues') return json(res, 0, { queues: [] })
    if (p === 'models') return json(res, 0, { runtime: '', models: [], categories: [{ category: 'nudity', what: 'nudity and sexual acts', state: 'no_model', besides: '', models: [] }, { category: 'child_safety', what: 'sexual content with children', state: 'no_model', besides: 'pictures that a bank knows', models: [] }] })
    if (p === 'cases') return json(res, 0, { cases: [...cases.values()].filter((c) => c.state === 'open').map((c) => ({ ...c, session: undefined })) })
    const decide = /^cases\/([^/]+)\/decide$/.exec(p)
    if (decide) {
      const c = cases.get(decide[1])
      if (!c) return fail(res, 3002, 404, 'not found')
      const missing = ['policy', 'reason'].filter((name) => !body[name])
      if (missing.length) return json(res, 1001, { message: 'invalid parameter', errors: missing.map((name) => ({ pointer: `/${name}`, reason: 'is required' })) }, 400)
      if (c.state !== 'open' || c.version !== body.version) return fail(res, 1007, 409, 'conflict')
      Object.assign(c, { state: 'closed', decision: body.decision, version: c.version + 1 })
      if (c.session && c.held) {
        const approve = body.decision === 'approve'
        push(c.session, { type: 'notice', kind: approve ? 'approved' : 'rejected', request_id: c.request_id, text: approve ? 'Your message was approved.' : 'Your message was not approved.' })
        if (approve) deliver(c.session, c.scene_id, c.request_id, c.content)
      }
      return json(res, 0, { case_id: c.case_id })
    }
    return fail(res, 3002, 404, 'not found')
  }

  const http = createServer(async (req, res) => {
    res.setHeader('Content-Security-Policy', csp)
    res.setHeader('X-Content-Type-Options', 'nosniff')
    res.setHeader('Referrer-Policy', 'no-referrer')
    const { pathname } = new URL(req.url, 'http://x')
    if (pathname.startsWith('/api/')) {
      let raw = ''
      for await (const chunk of req) raw += chunk
      return route(req, res, raw ? JSON.parse(raw) : {})
    }
    const file = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    try {
      const data = await readFile(join(dist, file))
      res.writeHead(200, { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Cache-Control': 'no-store' })
      res.end(data)
    } catch {
      res.writeHead(404).end()
    }
  })

  const wss = new WebSocketServer({ noServer: true, handleProtocols: () => 'portcullis.v1' })
  http.on('upgrade', (req, socket, head) => {
    const ticket = /bearer\.(\w+)/.exec(req.headers['sec-websocket-protocol'] ?? '')?.[1]
    const player = ticket ? tickets.get(ticket) : undefined
    if (!player && !me(req)) return socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')
    tickets.delete(ticket)
    wss.handleUpgrade(req, socket, head, (ws) => serve(ws, player))
  })

  function serve(ws, player) {
    let s
    const send = (m) => ws.send(JSON.stringify(m))
    const ready = () => {
      s = { id: randomUUID(), player, token: randomUUID(), epoch: 'e', seq: 0, log: [], joined: new Set(), ws }
      if (player) for (const [k, o] of sessions) if (o.player === player) { o.ws?.close(4005); sessions.delete(k) }
      if (player) sessions.set(s.id, s)
      send({ type: 'ready', session_id: s.id, resume_token: s.token, epoch: s.epoch, heartbeat_ms: 20000, resume_window_ms: 120000, limits: {}, scenes: scenes.map((x) => x.scene_id) })
    }
    ws.on('message', (raw) => {
      const m = JSON.parse(raw)
      switch (m.type) {
        case 'hello': return ready()
        case 'resume': {
          const old = sessions.get(m.session_id)
          if (!old || old.token !== m.resume_token) { send({ type: 'reset', reason: 'gone' }); return ready() }
          s = old
          s.ws = ws
          s.token = randomUUID()
          const missed = s.log.filter(([n]) => n > m.last_seq)
          send({ type: 'resumed', resume_token: s.token, from: m.last_seq + 1, count: missed.length })
          return missed.forEach(([, t]) => ws.send(t))
        }
        case 'join': s.joined.add(m.scene_id); return send({ type: 'ok', id: m.id })
        case 'leave': s.joined.delete(m.scene_id); return send({ type: 'ok', id: m.id })
        case 'chat': return chat(s, m)
        case 'ping': return send({ type: 'pong' })
        case 'feed.subscribe': feeds.add(ws); return send({ type: 'ok', id: m.id })
        default:
      }
    })
    ws.on('close', () => { feeds.delete(ws); if (s?.ws === ws) s.ws = null })
  }

  // As many as are owed by now: on a busy machine the timer is late.
  const began = Date.now()
  let sent = 0
  const flow = rate > 0 ? setInterval(() => {
    const owed = Math.min(rate, Math.floor(((Date.now() - began) * rate) / 1000) - sent)
    sent = Math.floor(((Date.now() - began) * rate) / 1000)
    for (let i = 0; i < owed; i++) emit(sample(cases))
  }, 20) : null

  await new Promise((ok) => http.listen(port, '127.0.0.1', ok))
  const url = `http://127.0.0.1:${http.address().port}`
  return {
    url, status, setup: `${url}/console/#/setup?token=${setupToken}`,
    cut: () => { for (const ws of wss.clients) ws.terminate() },
    stop: async () => { if (flow) clearInterval(flow); for (const ws of wss.clients) ws.terminate(); wss.close(); http.closeAllConnections(); await new Promise((ok) => http.close(ok)) },
  }
}

function sample(cases) {
  const { text, lang } = lines[Math.floor(Math.random() * lines.length)]
  const { scene_id, mode } = scenes[Math.floor(Math.random() * scenes.length)]
  const v = judge(text, mode, scene_id === 'demo-mask')
  const player_id = ['mira', 'kenji_77', 'dusk', '小雨', '하늘', 'northwind', 'pixelfox'][Math.floor(Math.random() * 7)]
  const request_id = randomUUID()
  const extra = {}
  if (v.case) {
    const c = { case_id: randomUUID(), app_id: 'demo', request_id, player_id, scene_id, state: 'open', held: v.action === 'hold', version: 1, created_at: new Date().toISOString(), content: text, mode, action: v.action, suggestion: v.suggestion, label: v.label, hits: v.hits }
    if (cases.size < 500) cases.set(c.case_id, c)
    Object.assign(extra, { case_id: c.case_id, case_version: 1 })
  }
  return { scene_id, player_id, request_id, suggestion: v.suggestion, action: v.action, label: v.observed ? [] : v.label, ...(v.observed ? { observed: { suggestion: v.observed, label: v.label } } : {}), content: text, language: lang, hits: v.hits, latency_ms: v.latency, mode, ...extra }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const arg = (name, fallback) => { const i = process.argv.indexOf(name); return i < 0 ? fallback : Number(process.argv[i + 1]) }
  const mock = await startMock({ port: arg('--port', 8090), rate: arg('--rate', 5) })
  console.log(`${mock.url}/console/  ${mock.url}/demo/\nsetup: ${mock.setup}`)
}
