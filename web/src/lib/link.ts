// Link keeps one WebSocket to the stream alive: it opens it, says the first
// frame, beats the heart, and comes back with a growing delay. What the frames
// mean is its owner's business (player.ts, feed.ts).
import { ApiError } from './api'
import type { ServerFrame } from './wire'

/** The part of WebSocket that Link uses; tests hand in a fake. */
export interface SocketLike {
  readonly readyState: number
  send(data: string): void
  close(code?: number, reason?: string): void
  onopen: ((ev: never) => unknown) | null
  onmessage: ((ev: never) => unknown) | null
  onclose: ((ev: never) => unknown) | null
}

export type Phase = 'idle' | 'connecting' | 'open' | 'waiting' | 'stopped'

export interface LinkState {
  phase: Phase
  /** When the next try starts (phase waiting), epoch ms. */
  retryAt?: number
  /** Why it stopped or lost the connection, in words. */
  reason?: string
  /** The close or error code behind reason. */
  code?: number
}

export interface LinkOptions {
  url: () => string
  /** Runs before each try and gives the subprotocols; an ApiError 1002, 1004 or 3002 stops the link. */
  prepare: () => Promise<string[]>
  /** The first frame: hello or resume. */
  first: () => object
  /** The newest seq received, told with each ping. */
  seq?: () => number
  onFrame: (frame: ServerFrame) => void
  onState: (state: LinkState) => void
  /** A close after which the session can't be resumed. */
  onFresh?: () => void
  socket?: (url: string, protocols: string[]) => SocketLike
  random?: () => number
}

type Fate = 'resume' | 'fresh' | 'stop'

/** What each close code asks for (WIRE.md, §5); unknown ones are tried again. */
export function fateOf(code: number): Fate {
  if (code === 4007) return 'fresh'
  return [1002, 1003, 1007, 1009, 4001, 4002, 4003, 4005, 4006, 4029].includes(code) ? 'stop' : 'resume'
}

const reasons: Record<number, string> = {
  1001: 'The gateway is restarting.',
  1006: 'The connection was lost.',
  1012: 'The gateway is restarting.',
  1013: 'The gateway is overloaded.',
  4001: 'The sign-in was not accepted.',
  4002: 'The ticket has run out.',
  4003: 'Not permitted.',
  4005: 'The same player signed in somewhere else.',
  4006: 'This player is banned.',
  4008: 'This page read too slowly.',
  4009: 'The gateway went silent.',
  4029: 'Too many messages in a short time.',
}

/** The delay before try n (0, 1, 2 …): 0.5 s doubling to 15 s, at least half of it. */
export function backoff(n: number, random: () => number): number {
  const full = Math.min(15_000, 500 * 2 ** Math.min(n, 10))
  return Math.round(full / 2 + random() * (full / 2))
}

export class Link {
  private sock: SocketLike | null = null
  private timers = new Set<ReturnType<typeof setTimeout>>()
  private attempt = 0
  private run = 0
  private heard = 0
  private drainMs: number | null = null
  private alive = false
  readonly state: { now: LinkState } = { now: { phase: 'idle' } }

  constructor(private readonly o: LinkOptions) {}

  start(): void {
    if (this.alive) return
    this.alive = true
    this.attempt = 0
    globalThis.addEventListener?.('online', this.retryNow)
    void this.open()
  }

  /** Ends for good; start begins anew. */
  stop(): void {
    globalThis.removeEventListener?.('online', this.retryNow)
    this.alive = false
    this.run++
    this.clear()
    this.sock?.close(1000)
    this.sock = null
    this.set({ phase: 'idle' })
  }

  /** Skips the wait before the next try. */
  readonly retryNow = (): void => {
    if (!this.alive || (this.state.now.phase !== 'waiting' && this.state.now.phase !== 'stopped')) return
    this.clear()
    void this.open()
  }

  /** False when there is no open session to send on. */
  send(frame: object): boolean {
    if (!this.sock || this.sock.readyState !== 1 || this.state.now.phase !== 'open') return false
    this.sock.send(JSON.stringify(frame))
    return true
  }

  private async open(): Promise<void> {
    const run = ++this.run
    this.set({ phase: 'connecting' })
    let protocols: string[]
    try {
      protocols = await this.o.prepare()
    } catch (err) {
      if (run === this.run) this.failed(err)
      return
    }
    if (run !== this.run || !this.alive) return
    const sock = (this.o.socket ?? ((u, p) => new WebSocket(u, p) as unknown as SocketLike))(this.o.url(), protocols)
    this.sock = sock
    this.heard = Date.now()
    const mine = () => run === this.run && this.sock === sock
    sock.onopen = () => { if (mine()) sock.send(JSON.stringify(this.o.first())) }
    sock.onmessage = (ev: { data: unknown }) => { if (mine()) this.frame(ev.data) }
    sock.onclose = (ev: { code: number }) => { if (mine()) this.closed(ev.code) }
    // A door that swallows the upgrade must not hang the page.
    this.after(10_000, () => { if (mine() && this.state.now.phase === 'connecting') this.cut(1006) })
  }

  private frame(data: unknown): void {
    this.heard = Date.now()
    let frame: ServerFrame
    try {
      frame = JSON.parse(String(data)) as ServerFrame
    } catch {
      return
    }
    if (frame.type === 'ready' || frame.type === 'resumed') {
      this.attempt = 0
      this.set({ phase: 'open' })
      if (frame.type === 'ready') this.heartbeat = frame.heartbeat_ms
      this.beat()
    }
    if (frame.type === 'drain') this.drainMs = Math.max(0, frame.reconnect_in_ms)
    this.o.onFrame(frame)
  }

  private heartbeat = 30_000

  private beat(): void {
    const run = this.run
    const wait = this.heartbeat * (0.8 + 0.4 * (this.o.random ?? Math.random)())
    this.after(wait, () => {
      if (run !== this.run) return
      if (Date.now() - this.heard > 2.5 * this.heartbeat) return this.cut(4009)
      this.send({ type: 'ping', seq: this.o.seq?.() ?? 0 })
      this.beat()
    })
  }

  /** Gives the socket up without waiting for the other side's close. */
  private cut(code: number): void {
    const sock = this.sock
    this.closed(code)
    sock?.close(code >= 3000 ? code : 1000)
  }

  private closed(code: number): void {
    this.sock = null
    this.clear()
    const fate = fateOf(code)
    if (fate !== 'resume') this.o.onFresh?.()
    const reason = reasons[code] ?? 'The connection was closed.'
    if (fate === 'stop') return this.set({ phase: 'stopped', reason, code })
    this.wait(reason, code)
  }

  private failed(err: unknown): void {
    if (err instanceof ApiError && [1002, 1004, 3002].includes(err.code)) {
      return this.set({ phase: 'stopped', reason: err.message, code: err.code })
    }
    const min = err instanceof ApiError ? err.retryAfterMs : 0
    this.wait(err instanceof Error ? err.message : 'The gateway cannot be reached.', undefined, min)
  }

  private wait(reason: string, code?: number, min = 0): void {
    const delay = this.drainMs ?? Math.max(min, backoff(this.attempt++, this.o.random ?? Math.random))
    this.drainMs = null
    this.set({ phase: 'waiting', reason, code, retryAt: Date.now() + delay })
    this.after(delay, () => void this.open())
  }

  private after(ms: number, f: () => void): void {
    const t = setTimeout(() => { this.timers.delete(t); f() }, ms)
    this.timers.add(t)
  }

  private clear(): void {
    for (const t of this.timers) clearTimeout(t)
    this.timers.clear()
  }

  private set(state: LinkState): void {
    this.state.now = state
    this.o.onState(state)
  }
}
