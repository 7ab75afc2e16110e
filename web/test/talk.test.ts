import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Talk, type TalkState } from '../src/lib/talk'

/** A connection that finds its addresses at once; the test says how it fares. */
class FakeConnection {
  static last: FakeConnection
  iceGatheringState = 'complete'
  connectionState = 'new'
  localDescription = { sdp: 'mine' }
  answer: unknown
  closed = false
  onconnectionstatechange: (() => void) | null = null
  constructor() { FakeConnection.last = this }
  addTrack() {}
  addEventListener() {}
  async setLocalDescription() {}
  async setRemoteDescription(d: unknown) { this.answer = d }
  close() { this.closed = true }
  be(state: string) { this.connectionState = state; this.onconnectionstatechange?.() }
}

const track = () => ({ stop: vi.fn(), onended: null as (() => void) | null })

function setup(microphone: () => Promise<unknown>, offer: (sdp: string) => Promise<string> = async () => 'theirs') {
  const states: TalkState[] = []
  const hangUp = vi.fn()
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: microphone } })
  return { talk: new Talk({ offer, hangUp, onState: (s) => states.push(s) }), states, hangUp }
}
const granted = (t: ReturnType<typeof track>) => async () => ({ getTracks: () => [t], getAudioTracks: () => [t] })

beforeEach(() => { vi.useFakeTimers(); vi.stubGlobal('RTCPeerConnection', FakeConnection) })
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals() })

describe('a call with the microphone', () => {
  it('goes on when sound flows, and lets go of everything when it is switched off', async () => {
    const t = track()
    const { talk, states, hangUp } = setup(granted(t))
    talk.toggle()
    await vi.advanceTimersByTimeAsync(0)
    FakeConnection.last.be('connected')
    expect(states.map((s) => s.phase)).toEqual(['asking', 'connecting', 'on'])
    expect(FakeConnection.last.answer).toEqual({ type: 'answer', sdp: 'theirs' })
    talk.toggle()
    expect(states.at(-1)).toEqual({ phase: 'off' })
    expect([t.stop.mock.calls.length, FakeConnection.last.closed, hangUp.mock.calls.length]).toEqual([1, true, 1])
    talk.stop('late')
    expect(states.length).toBe(4)
  })
  it('says why it is off', async () => {
    const cases: [() => Promise<unknown>, (sdp: string) => Promise<string>, RegExp][] = [
      [async () => { throw new DOMException('x', 'NotAllowedError') }, async () => '', /not allowed/],
      [async () => { throw new DOMException('x', 'NotFoundError') }, async () => '', /no microphone/],
      [granted(track()), async () => { throw new Error('the player’s voice is muted') }, /voice is muted/],
    ]
    for (const [microphone, offer, why] of cases) {
      const { talk, states } = setup(microphone, offer)
      talk.toggle()
      await vi.advanceTimersByTimeAsync(0)
      expect(states.at(-1)).toEqual({ phase: 'off', fault: expect.stringMatching(why) })
    }
    vi.stubGlobal('navigator', {})
    const states: TalkState[] = []
    new Talk({ offer: async () => '', hangUp: () => {}, onState: (s) => states.push(s) }).toggle()
    expect(states.at(-1)?.fault).toMatch(/HTTPS/)
  })
  it('ends when it never connects, is lost, or the microphone goes away', async () => {
    for (const [happen, why] of [
      [() => vi.advanceTimersByTimeAsync(20_000), /did not connect/],
      [async () => FakeConnection.last.be('failed'), /lost/],
      [async () => held.onended?.(), /taken away/],
    ] as const) {
      const { talk, states, hangUp } = setup(async () => granted(held)())
      talk.toggle()
      await vi.advanceTimersByTimeAsync(0)
      await happen()
      expect(states.at(-1)).toEqual({ phase: 'off', fault: expect.stringMatching(why) })
      expect(hangUp).toHaveBeenCalledTimes(1)
    }
  })
  it('does not begin once it was switched off while the browser asked', async () => {
    const t = track()
    let grant: (sound: unknown) => void = () => {}
    const { talk, states, hangUp } = setup(() => new Promise((ok) => { grant = ok }))
    talk.toggle()
    talk.toggle()
    grant(await granted(t)())
    await vi.advanceTimersByTimeAsync(0)
    expect(states.map((s) => s.phase)).toEqual(['asking', 'off'])
    expect([t.stop.mock.calls.length, hangUp.mock.calls.length]).toEqual([1, 0])
  })
})

const held = track()
