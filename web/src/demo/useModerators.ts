import { useCallback, useEffect, useRef, useState } from 'react'
import { api, ApiError } from '../lib/api'
import { FeedClient } from '../lib/feed'
import type { LinkState } from '../lib/link'
import type { FeedEvent, Moderator } from '../lib/wire'

export interface Seen extends FeedEvent { decided?: 'approve' | 'reject' }

/** Events kept for the strip. */
const kept = 60

/** The moderators' side, where this browser is signed in to the console; null where it isn't. */
export function useModerators() {
  const [me, setMe] = useState<Moderator | null>(null)
  const [link, setLink] = useState<LinkState>({ phase: 'idle' })
  const [events, setEvents] = useState<readonly Seen[]>([])
  const client = useRef<FeedClient | null>(null)

  // Asked again whenever the page is come back to: sign-in happens in another tab.
  useEffect(() => {
    const ask = () => {
      if (document.hidden) return
      api.me().then(setMe, (err: unknown) => { if (err instanceof ApiError && err.code === 1002) setMe(null) })
    }
    ask()
    window.addEventListener('focus', ask)
    document.addEventListener('visibilitychange', ask)
    return () => { window.removeEventListener('focus', ask); document.removeEventListener('visibilitychange', ask) }
  }, [])

  const name = me?.name
  useEffect(() => {
    if (!name) return
    const c = new FeedClient({
      onState: (s) => { setLink(s); if (s.phase === 'stopped' && (s.code === 1002 || s.code === 4001)) setMe(null) },
      onEvent: (e) => setEvents((old) => [e, ...old].slice(0, kept)),
      onDropped: () => undefined,
      onSubscribed: () => undefined,
      onRefused: () => setMe(null),
    })
    client.current = c
    c.start()
    return () => { c.stop(); client.current = null }
  }, [name])

  const decided = useCallback((caseId: string, d: 'approve' | 'reject') => {
    setEvents((old) => old.map((e) => (e.case_id === caseId ? { ...e, decided: d } : e)))
  }, [])
  const retry = useCallback(() => client.current?.retryNow(), [])
  return { me, link, events, decided, retry }
}
