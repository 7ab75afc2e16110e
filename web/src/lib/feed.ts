// FeedClient subscribes to the moderators' feed with the cookie of the page.
// The feed has no past: after a lost connection it starts at the present.
import { api, streamURL } from './api'
import { rowOf } from './notices'
import { Link, type LinkState, type SocketLike } from './link'
import type { FeedEvent, ServerFrame } from './wire'

export interface FeedHandlers {
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

  constructor(private readonly h: FeedHandlers, o: FeedOptions = {}) {
    const check = o.check ?? (() => api.me())
    this.link = new Link({
      url: o.url ?? streamURL,
      prepare: async () => { await check(); return ['portcullis.v1'] },
      first: () => ({ type: 'hello', id: 'h' }),
      onFrame: (f) => this.frame(f),
      onState: h.onState,
      ...(o.socket ? { socket: o.socket } : {}),
    })
  }

  start(): void { this.link.start() }
  stop(): void { this.link.stop() }
  retryNow(): void { this.link.retryNow() }

  private frame(f: ServerFrame): void {
    switch (f.type) {
      case 'ready': this.link.send({ type: 'feed.subscribe', id: 'f', filter: {} }); return
      case 'ok': if (f.id === 'f') this.h.onSubscribed(); return
      case 'error': if (f.id === 'f') this.h.onRefused(f.code, f.message); return
      case 'feed.event': return this.h.onEvent(rowOf(f))
      case 'feed.dropped': return this.h.onDropped(f.n)
      default:
    }
  }
}
