import type { SocketLike } from '../src/lib/link'
import type { ServerFrame } from '../src/lib/wire'

/** A WebSocket whose other end is the test. */
export class FakeSocket implements SocketLike {
  readyState = 0
  sent: Record<string, unknown>[] = []
  closedWith: number | undefined
  onopen: ((ev: never) => unknown) | null = null
  onmessage: ((ev: never) => unknown) | null = null
  onclose: ((ev: never) => unknown) | null = null
  constructor(readonly url: string, readonly protocols: string[]) {}
  send(data: string) { this.sent.push(JSON.parse(data)) }
  close(code?: number) { this.closedWith = code; this.readyState = 3 }
  open() { this.readyState = 1; this.onopen?.({} as never) }
  push(frame: ServerFrame) { this.onmessage?.({ data: JSON.stringify(frame) } as never) }
  lose(code = 1006) { this.readyState = 3; this.onclose?.({ code } as never) }
  last(type: string) { return this.sent.findLast((m) => m['type'] === type) }
  all(type: string) { return this.sent.filter((m) => m['type'] === type) }
}
