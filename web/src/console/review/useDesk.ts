import { useEffect, useState } from 'react'
import { useStore } from '../../lib/store'
import { calls, releaseBeacon } from './calls'
import { setStretch, stretch, worked } from './care'
import { Desk } from './desk'

/** Somebody who has done nothing for so long is not at work: leases run out then. */
const idleAfter = 3 * 60_000

/** What is being given back: who begins waits for it, so as not to be given the same again. */
let parting: Promise<unknown> = Promise.resolve()

/** The desk of one queue ('' for all), worked at for as long as the page stands. */
export function useDesk(queue: string, first: string) {
  const [desk] = useState(() => new Desk(calls, queue))
  const state = useStore(desk)
  useEffect(() => {
    let here = true
    void parting.then(() => { if (here) void desk.begin(queue, first) })
    const away = () => desk.leave().forEach(releaseBeacon)
    window.addEventListener('pagehide', away)
    return () => {
      here = false
      window.removeEventListener('pagehide', away)
      parting = Promise.all(desk.leave().map((id) => desk.give(id)))
    }
  }, [desk, queue, first])
  useEffect(() => {
    let last = Date.now()
    const sign = () => {
      const now = Date.now()
      if (now - stretch.get().seen > 10_000) setStretch(worked(stretch.get(), now))
      last = now
    }
    const beat = setInterval(() => { if (!document.hidden && Date.now() - last < idleAfter) desk.renew().catch(() => undefined) }, 20_000)
    window.addEventListener('keydown', sign)
    window.addEventListener('pointerdown', sign)
    return () => { clearInterval(beat); window.removeEventListener('keydown', sign); window.removeEventListener('pointerdown', sign) }
  }, [desk])
  // Decisions on their way would be lost with the page.
  useEffect(() => {
    if (!state.sending) return
    const hold = (e: BeforeUnloadEvent) => e.preventDefault()
    window.addEventListener('beforeunload', hold)
    return () => window.removeEventListener('beforeunload', hold)
  }, [state.sending])
  return { desk, state }
}
