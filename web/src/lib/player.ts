// PlayerClient is a chat client as a game would have one: it joins a scene,
// says things under unique ids, and after a lost connection resumes where it
// was, so that every push is seen once and every message is answered once.
import { ApiError } from './api'
import { newId } from './id'
import { Link, type LinkState, type SocketLike } from './link'
import type { MessageFrame, NoticeFrame, Ready, RetractFrame, ServerFrame, VerdictFrame, VoiceMute, VoiceVerdict } from './wire'

export interface PlayerHandlers {
  onState: (s: LinkState) => void
  /** The answer to one of this client's messages, or a later word on it (no id then). */
  onVerdict: (v: VerdictFrame) => void
  onMessage: (m: MessageFrame) => void
  onRetract: (r: RetractFrame) => void
  onNotice: (n: NoticeFrame) => void
  /** The message under id was refused. */
  onRefused: (id: string, code: number, message: string) => void
  /** Something was found in what this player said aloud. */
  onVoice?: (v: VoiceVerdict) => void
  /** The player's voice was muted, and its call ended. */
  onVoiceMute?: (m: VoiceMute) => void
  /** The session was lost: what happened meanwhile is not known. */
  onReset?: (reason: string) => void
}

export interface PlayerOptions {
  url: () => string
  /** A fresh ticket for each connection; tickets are used once. */
  ticket: () => Promise<string>
  socket?: (url: string, protocols: string[]) => SocketLike
  random?: () => number
  newId?: () => string
}

interface Session { id: string; token: string; epoch: string; window: number; lostAt: number | null }
interface Offer { ok: (sdp: string) => void; bad: (err: Error) => void; timer: ReturnType<typeof setTimeout> }
interface Chat { type: 'chat'; id: string; scene_id: string; content: string; language?: string }

/** Messages that wait for their answer; more are refused here. */
const maxPending = 16
/** How long the answer to an offer of a call is waited for, ms. */
const answerWithin = 15_000

export class PlayerClient {
  private readonly link: Link
  private session: Session | null = null
  private lastSeq = 0
  private scene: string | null = null
  private pending = new Map<string, Chat>()
  private offers = new Map<string, Offer>()
  private joins = 0
  private joinId = ''

  constructor(private readonly o: PlayerOptions, private readonly h: PlayerHandlers) {
    this.link = new Link({
      url: o.url,
      prepare: async () => ['portcullis.v1', `bearer.${await o.ticket()}`],
      first: () => this.first(),
      seq: () => this.lastSeq,
      onFrame: (f) => this.frame(f),
      onState: (s) => this.stateChanged(s),
      onFresh: () => { this.session = null },
      ...(o.socket ? { socket: o.socket } : {}),
      ...(o.random ? { random: o.random } : {}),
    })
  }

  start(): void { this.link.start() }
  stop(): void {
    for (const id of this.offers.keys()) this.offer(id)?.bad(new Error('The client was stopped.'))
    this.session = null
    this.link.stop()
  }
  retryNow(): void { this.link.retryNow() }

  /** Leaves the scene that it is in and joins this one, now or once connected. */
  enter(scene: string): void {
    if (scene === this.scene) return
    const old = this.scene
    this.scene = scene
    if (old) this.link.send({ type: 'leave', id: this.id(), scene_id: old })
    this.join()
  }

  /** Says content in the scene; the id that its verdict will carry, or null when nothing more can wait. */
  say(content: string, language?: string): string | null {
    if (!this.scene || this.pending.size >= maxPending) return null
    const chat: Chat = { type: 'chat', id: this.id(), scene_id: this.scene, content, ...(language ? { language } : {}) }
    this.pending.set(chat.id, chat)
    this.link.send(chat)
    return chat.id
  }

  /** Offers a call in the scene that it is in: the SDP of the answer, or an Error that says why there is none. */
  call(sdp: string): Promise<string> {
    const id = this.id()
    return new Promise((ok, bad) => {
      const timer = setTimeout(() => this.offer(id)?.bad(new Error('The gateway did not answer the call.')), answerWithin)
      this.offers.set(id, { ok, bad, timer })
      if (!this.scene || !this.link.send({ type: 'voice.offer', id, scene_id: this.scene, sdp })) this.offer(id)?.bad(new Error('There is no connection to the gateway.'))
    })
  }

  /** Ends the call, if there is one. */
  hangUp(): void { this.link.send({ type: 'voice.close', id: this.id() }) }

  /** Takes an offer off those that wait. */
  private offer(id: string): Offer | undefined {
    const o = this.offers.get(id)
    if (o) { this.offers.delete(id); clearTimeout(o.timer) }
    return o
  }

  private id(): string { return this.o.newId ? this.o.newId() : newId() }

  private first(): object {
    const s = this.session
    if (s && (s.lostAt === null || Date.now() - s.lostAt < s.window)) {
      return { type: 'resume', id: this.id(), session_id: s.id, resume_token: s.token, epoch: s.epoch, last_seq: this.lastSeq }
    }
    this.session = null
    return { type: 'hello', id: this.id() }
  }

  private stateChanged(s: LinkState): void {
    if (s.phase === 'waiting' && this.session && this.session.lostAt === null) this.session.lostAt = Date.now()
    this.h.onState(s)
  }

  private frame(f: ServerFrame): void {
    if ('seq' in f && typeof f.seq === 'number') {
      if (f.seq <= this.lastSeq) return // seen before the connection went
      this.lastSeq = f.seq
    }
    switch (f.type) {
      case 'ready': return this.ready(f)
      case 'resumed':
        if (this.session) { this.session.token = f.resume_token; this.session.lostAt = null }
        return this.sayAgain()
      case 'reset':
        this.session = null
        return this.h.onReset?.(f.reason)
      case 'verdict':
        if (f.id) this.pending.delete(f.id)
        return this.h.onVerdict(f)
      case 'message': return this.h.onMessage(f)
      case 'retract': return this.h.onRetract(f)
      case 'notice': return this.h.onNotice(f)
      case 'voice.answer': return this.offer(f.id)?.ok(f.sdp)
      case 'voice.verdict': return this.h.onVoice?.(f)
      case 'voice.mute': return this.h.onVoiceMute?.(f)
      case 'error':
        if (f.id && this.offers.has(f.id)) return this.offer(f.id)?.bad(new ApiError(f.code, 0, f.message))
        if (f.id && this.pending.delete(f.id)) this.h.onRefused(f.id, f.code, f.message)
        else if (f.id && f.id === this.joinId) this.h.onRefused('', f.code, f.message)
        return
      default:
    }
  }

  private ready(r: Ready): void {
    this.session = { id: r.session_id, token: r.resume_token, epoch: r.epoch, window: r.resume_window_ms, lostAt: null }
    this.lastSeq = 0
    this.join()
    this.sayAgain()
  }

  private join(): void {
    if (!this.scene) return
    this.joinId = `join-${++this.joins}-${this.id()}`.slice(0, 64)
    this.link.send({ type: 'join', id: this.joinId, scene_id: this.scene })
  }

  /** Repeats what has no answer yet: the id makes the gateway act once. */
  private sayAgain(): void {
    for (const chat of this.pending.values()) this.link.send(chat)
  }
}
