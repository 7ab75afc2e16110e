/** Ring keeps the newest `cap` items; older ones fall out. */
export class Ring<T> {
  private buf: T[] = []
  private next = 0

  constructor(readonly cap: number) {}

  get size(): number { return this.buf.length }

  /** The item that fell out, if one had to. */
  push(item: T): T | undefined {
    if (this.buf.length < this.cap) {
      this.buf.push(item)
      return undefined
    }
    const old = this.buf[this.next]
    this.buf[this.next] = item
    this.next = (this.next + 1) % this.cap
    return old
  }

  /** The items that keep accepts, newest first. */
  newest(keep: (item: T) => boolean = () => true): T[] {
    const out: T[] = []
    const n = this.buf.length
    for (let i = 0; i < n; i++) {
      const item = this.buf[(this.next + n - 1 - i) % n] as T
      if (keep(item)) out.push(item)
    }
    return out
  }

  replace(match: (item: T) => boolean, change: (item: T) => T): void {
    for (let i = 0; i < this.buf.length; i++) {
      const item = this.buf[i] as T
      if (match(item)) this.buf[i] = change(item)
    }
  }

  clear(): void { this.buf = []; this.next = 0 }
}
