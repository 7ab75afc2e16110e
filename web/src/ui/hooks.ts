import { useCallback, useEffect, useRef, useState } from 'react'

/** Whether the media query matches, followed. */
export function useMedia(query: string): boolean {
  const [on, set] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const m = window.matchMedia(query)
    const change = () => set(m.matches)
    change()
    m.addEventListener('change', change)
    return () => m.removeEventListener('change', change)
  }, [query])
  return on
}

/** Runs f at once and then every ms while the page is seen. */
export function usePoll(f: () => void, ms: number): void {
  const latest = useRef(f)
  useEffect(() => { latest.current = f })
  useEffect(() => {
    const run = () => { if (!document.hidden) latest.current() }
    run()
    const t = setInterval(run, ms)
    document.addEventListener('visibilitychange', run)
    return () => { clearInterval(t); document.removeEventListener('visibilitychange', run) }
  }, [ms])
}

/** Seconds until `at` (epoch ms), counted down; 0 when past or absent. */
export function useCountdown(at: number | undefined): number {
  const left = useCallback(() => (at ? Math.max(0, Math.ceil((at - Date.now()) / 1000)) : 0), [at])
  const [n, set] = useState(left)
  useEffect(() => {
    set(left())
    if (!at) return
    const t = setInterval(() => set(left()), 500)
    return () => clearInterval(t)
  }, [at, left])
  return n
}
