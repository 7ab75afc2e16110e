import { useEffect, useRef } from 'react'
import { prefs } from '../lib/prefs'

export type Shortcuts = Partial<Record<string, () => void>>

/** The name under which a key is bound, or '' where it must be left alone. */
export function keyName(e: KeyboardEvent): string {
  if (e.isComposing || e.keyCode === 229 || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return ''
  const at = e.target instanceof Element ? e.target : null
  if (at?.closest('input, textarea, select, [contenteditable="true"], [role="dialog"]')) return ''
  // Space and Enter belong to the control that has the focus.
  if ((e.key === ' ' || e.key === 'Enter') && at?.closest('button, a, summary, [role="button"], [role="switch"]')) return ''
  if (e.key === ' ') return 'Space'
  return e.key.length === 1 ? e.key.toLowerCase() : e.key
}

/** Binds single keys for as long as the component stands, where the person wants them. */
export function useShortcuts(bound: Shortcuts): void {
  const latest = useRef(bound)
  useEffect(() => { latest.current = bound })
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      const name = keyName(e)
      // Escape and Enter are no character keys: they work also with shortcuts off.
      if (!name || (!prefs.get().shortcuts && name !== 'Escape' && name !== 'Enter')) return
      const f = latest.current[name]
      if (!f) return
      e.preventDefault()
      f()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
