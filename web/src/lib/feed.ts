// FeedClient subscribes to the moderators' feed with the cookie of the page.
// The feed has no past: after a lost connection it starts at the present, and
// what happens before the gateway has taken the subscription never comes.
import { api, streamURL } from './api'
import { rowOf } from './notices'
import { Link, type LinkState, type SocketLike } from './link'
import type { FeedEvent, ServerFrame } from './wire'

export interface FeedHandlers {
  /** Phase open is told once the feed is subscribed: until then nothing comes. */
  onState: (s: LinkState) => void
  onEvent: (e: FeedEvent) => void
  onDropped: (n: number) => void
  onSubscribed: () => void
  /** The subscription was refused; 1004 is "your role does not permit it". */
  onRefused: (code: number, message: string) => void
}

export interface FeedOptions {
  url?: () => string
  /** Fails where the cookie is no longer good: a refused upgrade can't say why. */
  check?: () => Promise<unknown>
  socket?: (url: string, protocols: string[]) => SocketLike
}

export class FeedClient {
  private readonly link: Link
  /** How the subscription of the open link stands. */
  private sub: LinkState = { phase: 'connecting' }

  constructor(private readonly h: FeedHandlers, o: FeedOptions = {}) {
    const check = o.check ?? (() => api.me())
    this.link = new Link({
      url: o.url ?? streamURL,
      prepare: async () => { await check(); return ['portcullis.v1'] },
      first: () => ({ type: 'hello', id: 'h' }),
      onFrame: (f) => this.frame(f),
      onState: (s) => this.linked(s),
      ...(o.socket ? { socket: o.socket } : {}),
    })
  }

  start(): void { this.link.start() }
  stop(): void { this.link.stop() }

  /** Skips the wait before the next try, or asks again where the feed was refused. */
  retryNow(): void {
    if (this.sub.phase === 'stopped') this.subscribe()
    else this.link.retryNow()
  }

  private linked(s: LinkState): void {
    if (s.phase === 'open') return // told by what is answered to feed.subscribe
    this.sub = { phase: 'connecting' }
    this.h.onState(s)
  }

  private subscribe(): void {
    this.tell({ phase: 'connecting' })
    this.link.send({ type: 'feed.subscribe', id: 'f', filter: {} })
  }

  private tell(s: LinkState): void {
    this.sub = s
    this.h.onState(s)
  }

  private frame(f: ServerFrame): void {
    switch (f.type) {
      case 'ready': return this.subscribe()
      case 'ok':
        if (f.id !== 'f') return
        this.tell({ phase: 'open' })
        return this.h.onSubscribed()
      case 'error':
        if (f.id !== 'f') return
        this.tell({ phase: 'stopped', code: f.code, reason: f.message })
        return this.h.onRefused(f.code, f.message)
      case 'feed.event': return this.h.onEvent(rowOf(f))
      case 'feed.dropped': return this.h.onDropped(f.n)
      default:
    }
  }
}
