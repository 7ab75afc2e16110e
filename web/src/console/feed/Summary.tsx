import { useEffect, useRef, useState } from 'react'
import type { FeedView } from './store'

const every = 10_000

/** Summary tells people who listen what came in, politely and at most every ten seconds; never each row. */
export function Summary({ view, held }: { view: FeedView; held: boolean }) {
  const latest = useRef({ view, held })
  const told = useRef(0)
  const [text, setText] = useState('')
  useEffect(() => { latest.current = { view, held } })
  useEffect(() => {
    const t = setInterval(() => {
      const { view: v, held: h } = latest.current
      const n = v.total - told.current
      told.current = v.total
      if (n > 0) setText(h && v.fresh ? `${v.fresh} new events wait` : `${n} new events`)
    }, every)
    return () => clearInterval(t)
  }, [])
  return <div className="sr-only" aria-live="polite" aria-atomic="true">{text}</div>
}
