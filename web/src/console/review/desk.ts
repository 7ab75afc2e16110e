// What a moderator has in hand: the case that is looked at, the one after it, which
// is claimed and read beforehand so that it is there at once, and the decisions that
// are on their way. It draws nothing; ReviewPage does.
import { newId } from '../../lib/id'
import { ApiError, UNREACHABLE } from '../../lib/api'
import { Store } from '../../lib/store'
import type { Calls, CaseFile, Motion, Ruling } from './calls'

/** A case in hand. */
export interface Work {
  file: CaseFile
  /** When the lease ends, epoch ms. */
  until: number
  /** What was said of it before it came back. */
  draft?: Ruling
}

/** A decision that may still be taken back. */
export interface Done { work: Work; ruling: Ruling; sent: Promise<boolean> }

/** A decision that the gateway did not take. */
export interface Lost { work: Work; ruling: Ruling; fault: unknown }

export interface DeskState {
  phase: 'loading' | 'working' | 'empty' | 'failed'
  now: Work | null
  fault: unknown
  /** How many decisions are on their way, and how many were made since the page was opened. */
  sending: number
  done: number
  last: Done | null
  lost: readonly Lost[]
}

const start: DeskState = { phase: 'loading', now: null, fault: null, sending: 0, done: 0, last: null, lost: [] }

/** A lease with less than this left is renewed while somebody works. */
const renewBelow = 5 * 60_000
/** At most so many refused decisions are shown; the oldest goes. */
const mostLost = 20

const workOf = (file: CaseFile, draft?: Ruling): Work => ({ file, until: Date.parse(file.until ?? '') || Date.now(), ...(draft ? { draft } : {}) })

export class Desk extends Store<DeskState> {
  /** Cases that are in hand behind the one that is looked at, the next first. */
  private ahead: Work[] = []
  private filling: Promise<void> | null = null
  private open = false

  constructor(private readonly calls: Calls, private queue = '') { super(start) }

  private change(c: Partial<DeskState>): void { this.set({ ...this.get(), ...c }) }

  /** Takes up what is in hand already, `first` before the rest, else the next. */
  async begin(queue = this.queue, first = ''): Promise<void> {
    this.open = true
    this.queue = queue
    this.change({ phase: 'loading', fault: null })
    try {
      const mine = await this.calls.mine()
      const fits = mine.filter((c) => !queue || c.queue === queue || c.case_id === first)
      const files = await Promise.all(fits.map((c) => this.calls.file(c.case_id)))
      const held = new Set([this.get().now, ...this.ahead].map((w) => w?.file.case_id))
      files.sort((a, b) => Number(b.case_id === first) - Number(a.case_id === first))
      this.ahead.push(...files.filter((f) => f.until && !held.has(f.case_id)).map((f) => workOf(f)))
    } catch (fault) {
      return this.change({ phase: 'failed', fault })
    }
    await this.advance()
  }

  /** What is in hand and not looked at: to be given back by who leaves. */
  leave(): string[] {
    this.open = false
    const ids = this.ahead.map((w) => w.file.case_id)
    this.ahead = []
    return ids
  }

  /** Gives a case back that is not looked at. */
  async give(id: string): Promise<void> { await this.calls.move(id, 'release', {}).catch(() => undefined) }

  /** Looks at the next case, at once where it is in hand. */
  private async advance(): Promise<void> {
    const work = this.ahead.shift()
    if (work) {
      this.change({ phase: 'working', now: work, fault: null })
      void this.fill()
      return
    }
    this.change({ phase: 'loading', now: null })
    await this.fill(true)
    const next = this.ahead.shift()
    if (next) this.change({ phase: 'working', now: next, fault: null })
    else if (this.get().phase === 'loading') this.change({ phase: 'empty' })
    if (next) void this.fill()
  }

  /** Claims one case more where none is ahead. One at a time; who needs it sees the fault. */
  private async fill(needed = false): Promise<void> {
    if (this.ahead.length || !this.open) return
    this.filling ??= this.claimNext().finally(() => { this.filling = null })
    try {
      await this.filling
    } catch (fault) {
      if (needed) this.change({ phase: 'failed', fault })
    }
  }

  private async claimNext(): Promise<void> {
    const c = await this.calls.next(this.queue)
    // The one that is looked at is claimed too: a lease that ran out gives it again.
    if (!c || c.case_id === this.get().now?.file.case_id) return
    const work = workOf(await this.calls.file(c.case_id))
    if (this.open) this.ahead.push(work)
    else await this.calls.move(c.case_id, 'release', {})
  }

  /** Takes a certain case, and has the one that was looked at wait behind it. */
  async take(id: string): Promise<void> {
    await this.calls.move(id, 'claim', {})
    const work = workOf(await this.calls.file(id))
    const { now } = this.get()
    if (now && now.file.case_id !== id) this.ahead.unshift(now)
    this.ahead = this.ahead.filter((w) => w.file.case_id !== id)
    this.open = true
    this.change({ phase: 'working', now: work, fault: null })
  }

  /** Decides what is looked at and goes on; the answer is not waited for. */
  decide(ruling: Ruling): void {
    const work = this.get().now
    if (!work) return
    const sent = this.send(work, ruling)
    this.change({ last: { work, ruling, sent }, sending: this.get().sending + 1, done: this.get().done + 1 })
    void this.advance()
  }

  /** Sends a decision, once more where the gateway could not be reached: the key makes it count once. */
  private async send(work: Work, ruling: Ruling): Promise<boolean> {
    const key = newId()
    const go = () => this.calls.decide(work.file.case_id, { ...ruling, version: work.file.version }, key)
    try {
      await go().catch((err: unknown) => {
        if (err instanceof ApiError && (err.code === UNREACHABLE || err.code === 2002)) return go()
        throw err
      })
      return true
    } catch (fault) {
      const { lost, last } = this.get()
      this.change({ lost: [...lost, { work, ruling, fault }].slice(-mostLost), done: this.get().done - 1, ...(last?.work === work ? { last: null } : {}) })
      return false
    } finally {
      this.change({ sending: this.get().sending - 1 })
    }
  }

  /** Takes the last decision back and looks at its case again. */
  async undo(why: string): Promise<void> {
    const { last, now } = this.get()
    if (!last || !(await last.sent)) return
    const id = last.work.file.case_id
    await this.calls.move(id, 'undo', { reason: why, reopen: true })
    this.change({ last: null, done: this.get().done - 1 })
    await this.calls.move(id, 'claim', {})
    const work = workOf(await this.calls.file(id), last.ruling)
    if (now) this.ahead.unshift(now)
    this.change({ phase: 'working', now: work, fault: null })
  }

  /** Looks at a refused decision's case again; it is read anew, since it has changed. */
  async again(of: Lost): Promise<void> {
    const id = of.work.file.case_id
    await this.calls.move(id, 'claim', {})
    const work = workOf(await this.calls.file(id), of.ruling)
    const { now } = this.get()
    if (now) this.ahead.unshift(now)
    this.change({ phase: 'working', now: work, lost: this.get().lost.filter((l) => l !== of) })
  }

  forget(of: Lost): void { this.change({ lost: this.get().lost.filter((l) => l !== of) }) }

  /** Parts with the case in another way, and goes on once the gateway has agreed. */
  async part(what: Motion, body: object): Promise<void> {
    const work = this.get().now
    if (!work) return
    await this.calls.move(work.file.case_id, what, { ...body, version: work.file.version })
    if (this.get().now?.file.case_id === work.file.case_id) await this.advance()
  }

  /** Keeps what is in hand while somebody works; `all` also what has long to go. */
  async renew(all = false): Promise<void> {
    const held = [this.get().now, ...this.ahead].filter((w) => w !== null)
    for (const w of held) {
      if (!all && w.until - Date.now() > renewBelow) continue
      const c = await this.calls.move(w.file.case_id, 'renew', {})
      const until = Date.parse(c.until ?? '') || w.until
      this.ahead = this.ahead.map((x) => (x === w ? { ...x, until } : x))
      const { now } = this.get()
      if (now && now.file.case_id === w.file.case_id) this.change({ now: { ...now, until } })
    }
  }
}
