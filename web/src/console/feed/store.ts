// FeedStore takes events as fast as they come and hands the page at most one new
// value per animation frame, fewer when more comes than anybody can read. It keeps the newest events in a ring, and while the page
// is held (paused, scrolled, a row chosen) the rows shown stand still and what
// is new is counted.
import { caseText } from '../../lib/economy'
import { Ring } from '../../lib/ring'
import { Sampler } from '../../lib/sampler'
import { Store } from '../../lib/store'
import type { Case, FeedEvent } from '../../lib/wire'
import { found } from '../../lib/words'
import { matcher, noFilter, type Filter } from './filter'

export interface Row extends FeedEvent {
  /** A case from before, of which the queue told no content. */
  partial?: boolean
  /** Set once its case is decided; without a decision where somebody else did it. */
  decided?: { decision?: 'approve' | 'reject'; by?: string }
}

export interface FeedView {
  rows: readonly Row[]
  /** Events that match and came since the page was held. */
  fresh: number
  /** Events received since the page opened. */
  total: number
  rate: number
  /** One in so many clean passes is shown. */
  every: number
  /** Events that the gateway dropped because this page was slow. */
  dropped: number
}

export const capacity = 5000
/** Events a second above which clean passes are sampled. */
export const budget = 600

/** Events a second above which the page changes only every `calm` ms: rows would be gone before they are read. */
const fast = 40
const calm = 125

export interface Scheduler {
  /** Calls f in an animation frame, after at least wait ms. */
  frame: (f: () => void, wait: number) => void
  now: () => number
}

const browser: Scheduler = {
  frame: (f, wait) => { if (wait) setTimeout(() => requestAnimationFrame(f), wait); else requestAnimationFrame(f) },
  now: () => Date.now(),
}

export class FeedStore extends Store<FeedView> {
  private ring = new Ring<Row>(capacity)
  private sampler = new Sampler(budget)
  private inbox: Row[] = []
  private matches = matcher(noFilter)
  private held = false
  private rows: readonly Row[] = []
  private fresh = 0
  private total = 0
  private dropped = 0
  private due = false

  constructor(private readonly clock: Scheduler = browser) {
    super({ rows: [], fresh: 0, total: 0, rate: 0, every: 1, dropped: 0 })
  }

  add(e: FeedEvent): void {
    this.total++
    const flagged = found(e).suggestion !== 'pass' || e.action !== 'deliver' || e.case_id !== undefined || e.degraded === true
    if (this.sampler.take(flagged, this.clock.now())) this.inbox.push(e)
    // A hidden page gets no frames; its inbox stays bounded all the same.
    if (this.inbox.length >= 1000) this.drain()
    this.schedule()
  }

  /** Cases that were open before the page was; they fill the feed's past. */
  seed(cases: readonly Case[]): void {
    this.drain()
    const have = new Set(this.ring.newest((r) => r.case_id !== undefined).map((r) => r.case_id))
    const past = cases.filter((c) => !have.has(c.case_id)).map(rowOfCase)
    const all = [...this.ring.newest(), ...past].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    this.ring.clear()
    for (const r of all.slice(0, capacity).reverse()) this.ring.push(r)
    if (this.held) this.schedule()
    else this.rebuild()
  }

  drop(n: number): void { this.dropped += n; this.schedule() }

  setFilter(f: Filter): void {
    this.drain()
    this.matches = matcher(f)
    this.rebuild()
  }

  /** Held rows stand still; letting go shows all that came meanwhile. */
  setHeld(held: boolean): void {
    if (held === this.held) return
    this.held = held
    // What waits in the inbox must not push the rows away from under a key or a click.
    if (held) this.rows = this.get().rows
    else { this.drain(); this.rebuild() }
  }

  decide(caseId: string, decided: NonNullable<Row['decided']>): void {
    this.drain()
    const change = (r: Row): Row => (r.case_id === caseId ? { ...r, decided } : r)
    this.ring.replace((r) => r.case_id === caseId, change)
    this.rows = this.rows.map(change)
    this.schedule()
  }

  /** The cases on the page that nobody decided as far as it knows. */
  openCases(): string[] {
    return this.ring.newest((r) => r.case_id !== undefined && !r.decided).map((r) => r.case_id as string)
  }

  /** Call once a second: the rate falls also when nothing comes. */
  tick(): void {
    if (this.sampler.tick(this.clock.now())) this.schedule()
  }

  private schedule(): void {
    if (this.due) return
    this.due = true
    const wait = this.sampler.flow.rate > fast ? calm : 0
    this.clock.frame(() => { this.due = false; this.drain(); this.emit() }, wait)
  }

  private drain(): void {
    if (!this.inbox.length) return
    const batch = this.inbox
    this.inbox = []
    const shown: Row[] = []
    for (const r of batch) {
      this.ring.push(r)
      if (this.matches(r)) shown.push(r)
    }
    if (!shown.length) return
    if (this.held) this.fresh += shown.length
    else this.rows = shown.reverse().concat(this.rows).slice(0, capacity)
  }

  private rebuild(): void {
    this.rows = this.ring.newest(this.matches)
    this.fresh = 0
    this.emit()
  }

  private emit(): void {
    const { rate, every } = this.sampler.flow
    this.set({ rows: this.rows, fresh: this.fresh, total: this.total, rate, every, dropped: this.dropped })
  }
}

function rowOfCase(c: Case): Row {
  const other = caseText(c)
  return {
    ...(other ? { other } : {}),
    type: 'feed.event',
    event_id: `case:${c.case_id}`,
    at: c.created_at,
    app_id: c.app_id,
    kind: c.kind ?? 'text',
    scene_id: c.scene_id ?? '',
    player_id: c.player_id,
    request_id: c.request_id,
    suggestion: c.suggestion ?? 'review',
    action: c.action ?? (c.held ? 'hold' : 'deliver'),
    label: c.label ?? [],
    content: c.content ?? '',
    ...(c.language ? { language: c.language } : {}),
    hits: c.hits ?? [],
    partial: c.content === undefined && !other,
    latency_ms: c.latency_ms ?? 0,
    mode: c.mode ?? (c.held ? 'pre_review' : 'real_time_block'),
    case_id: c.case_id,
    case_version: c.version,
  }
}
