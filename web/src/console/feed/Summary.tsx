import { useEffect, useRef, useState } from 'react'
import { text } from '../../i18n/text'
import type { FeedView } from './store'

const every = 10_000

/** Summary tells people who listen what came in, politely and at most every ten seconds; never each row. */
export function Summary({ view, held }: { view: FeedView; held: boolean }) {
  const latest = useRef({ view, held })
  const told = useRef(0)
  const [said, setSaid] = useState('')
  useEffect(() => { latest.current = { view, held } })
  useEffect(() => {
    const t = setInterval(() => {
      const { view: v, held: h } = latest.current
      const n = v.total - told.current
      told.current = v.total
      if (n > 0) setSaid(h && v.fresh ? text('feed.summary_wait', { n: v.fresh }) : text('feed.summary_new', { n }))
    }, every)
    return () => clearInterval(t)
  }, [])
  return <div className="sr-only" aria-live="polite" aria-atomic="true">{said}</div>
}
