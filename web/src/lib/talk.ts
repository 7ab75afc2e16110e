// Talk is a call as a game's client would make it: the microphone over WebRTC, its offer
// and answer over the player's stream. The gateway listens, and sends no sound back.

export type TalkPhase = 'off' | 'asking' | 'connecting' | 'on'

export interface TalkState {
  phase: TalkPhase
  /** Why it is off, in words, where nobody has switched it off. */
  fault?: string
}

export interface TalkOptions {
  /** Takes an SDP offer to the gateway and gives its answer. */
  offer: (sdp: string) => Promise<string>
  /** Tells the gateway that the call is over. */
  hangUp: () => void
  onState: (state: TalkState) => void
}

/** How long our own addresses are looked for, and how long a call may take until sound flows, ms. */
const gatherWithin = 2_000
const connectWithin = 15_000

export class Talk {
  private run = 0
  private offered = false
  private pc: RTCPeerConnection | null = null
  private sound: MediaStream | null = null
  private phase: TalkPhase = 'off'

  constructor(private readonly o: TalkOptions) {}

  toggle(): void {
    if (this.phase === 'off') void this.start()
    else this.stop()
  }

  /** Ends the call and lets go of the microphone; fault is told to the player. */
  stop(fault?: string): void {
    if (this.phase === 'off') return
    this.run++
    for (const t of this.sound?.getTracks() ?? []) t.stop()
    if (this.pc) { this.pc.onconnectionstatechange = null; this.pc.close() }
    if (this.offered) this.o.hangUp()
    this.pc = null
    this.sound = null
    this.offered = false
    this.set(fault ? { phase: 'off', fault } : { phase: 'off' })
  }

  private async start(): Promise<void> {
    const run = ++this.run
    const mine = () => run === this.run
    this.set({ phase: 'asking' })
    try {
      // There is none on a page that came over http from another machine.
      if (!navigator.mediaDevices) throw new Error('Browsers give the microphone to pages over HTTPS, or of this machine, alone.')
      const sound = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } })
      if (!mine()) { for (const t of sound.getTracks()) t.stop(); return }
      this.sound = sound
      this.set({ phase: 'connecting' })
      await this.connect(sound, mine)
    } catch (err) {
      if (mine()) this.stop(said(err))
    }
  }

  private async connect(sound: MediaStream, mine: () => boolean): Promise<void> {
    const pc = new RTCPeerConnection()
    this.pc = pc
    setTimeout(() => { if (mine() && this.phase === 'connecting') this.stop('The call did not connect. Is UDP to the gateway open?') }, connectWithin)
    pc.onconnectionstatechange = () => {
      if (!mine()) return
      if (pc.connectionState === 'connected') this.set({ phase: 'on' })
      if (pc.connectionState === 'failed' || pc.connectionState === 'closed') this.stop('The call was lost.')
    }
    for (const t of sound.getAudioTracks()) {
      t.onended = () => { if (mine()) this.stop('The microphone was taken away.') }
      pc.addTrack(t, sound)
    }
    await pc.setLocalDescription()
    await gathered(pc)
    if (!mine()) return
    this.offered = true
    const sdp = await this.o.offer(pc.localDescription?.sdp ?? '')
    if (mine()) await pc.setRemoteDescription({ type: 'answer', sdp })
  }

  private set(state: TalkState): void {
    this.phase = state.phase
    this.o.onState(state)
  }
}

/** Waits until all our addresses are in the offer: then nothing has to be sent after it. */
function gathered(pc: RTCPeerConnection): Promise<void> {
  return new Promise((ok) => {
    const done = () => { if (pc.iceGatheringState === 'complete') ok() }
    pc.addEventListener('icegatheringstatechange', done)
    setTimeout(ok, gatherWithin)
    done()
  })
}

/** What a browser or the gateway says was wrong, for the player. */
function said(err: unknown): string {
  if (err instanceof DOMException && err.name === 'NotAllowedError') return 'The microphone was not allowed.'
  if (err instanceof DOMException && err.name === 'NotFoundError') return 'There is no microphone.'
  return err instanceof Error ? err.message : 'The call did not begin.'
}
