// Sampler thins a flood out. Only clean passes are left out, one in `every` is
// kept; what was flagged always stays. It looks at whole seconds, so that the
// rate said on the page is the rate that was.

export interface Flow {
  /** Events in the last whole second. */
  rate: number
  /** 1 when everything is shown, n when one in n clean passes is. */
  every: number
}

export class Sampler {
  private second = 0
  private seen = 0
  private clean = 0
  private turn = 0
  flow: Flow = { rate: 0, every: 1 }

  /** budget is how many events a second the page shows at most while passes can be left out. */
  constructor(private readonly budget: number) {}

  /** Whether to show an event that arrives at now (ms). */
  take(flagged: boolean, now: number): boolean {
    this.tick(now)
    this.seen++
    if (flagged) return true
    this.clean++
    // Within a second that bursts past the budget, thin out before its end.
    const every = Math.max(this.flow.every, Math.ceil(this.seen / this.budget))
    return this.turn++ % every === 0
  }

  /** Moves time on, so that the rate falls when nothing comes; true when flow changed. */
  tick(now: number): boolean {
    const second = Math.floor(now / 1000)
    if (second === this.second) return false
    const next = second === this.second + 1 || this.second === 0
    const rate = next ? this.seen : 0
    const room = Math.max(this.budget / 10, this.budget - (rate - this.clean))
    const every = next && rate > this.budget ? Math.max(1, Math.ceil(this.clean / room)) : 1
    const before = this.flow
    this.flow = { rate, every }
    this.second = second
    this.seen = this.clean = 0
    return before.rate !== rate || before.every !== every
  }
}
