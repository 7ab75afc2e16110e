import { useCallback, useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api'
import { FeedClient } from '../../lib/feed'
import type { LinkState } from '../../lib/link'
import { FeedStore } from './store'

/** The most cases that one answer holds. */
const most = 200

/** Connects a FeedStore to the gateway for as long as the component stands. */
export function useFeed(onEnded: () => void) {
  const [store] = useState(() => new FeedStore())
  const [link, setLink] = useState<LinkState>({ phase: 'idle' })
  const [refused, setRefused] = useState<number | null>(null)
  const client = useRef<FeedClient | null>(null)

  useEffect(() => {
    const abort = new AbortController()
    const c = new FeedClient({
      onState: (s) => {
        setLink(s)
        if (s.phase !== 'stopped') setRefused(null)
        if (s.phase === 'stopped' && (s.code === 1002 || s.code === 4001)) onEnded()
      },
      onEvent: (e) => store.add(e),
      onDropped: (n) => store.drop(n),
      onSubscribed: () => {
        // What waits from before; without it the feed still works.
        api.openCases(100, abort.signal).then((r) => store.seed(r.cases), () => undefined)
      },
      onRefused: (code) => setRefused(code),
    })
    client.current = c
    c.start()
    const t = setInterval(() => store.tick(), 1000)
    // The feed tells verdicts, not decisions: ask now and then which cases others have closed.
    const ask = setInterval(() => {
      const known = document.hidden ? [] : store.openCases()
      if (!known.length) return
      api.openCases(most, abort.signal).then(({ cases }) => {
        if (cases.length >= most) return // there are more than were told
        const open = new Set(cases.map((x) => x.case_id))
        for (const id of known) if (!open.has(id)) store.decide(id, {})
      }, () => undefined)
    }, 10_000)
    return () => { abort.abort(); clearInterval(t); clearInterval(ask); c.stop(); client.current = null }
  }, [store, onEnded])

  const retry = useCallback(() => client.current?.retryNow(), [])
  return { store, link, refused, retry }
}
