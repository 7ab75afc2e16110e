import { useEffect, useRef } from 'react'
import { prefs } from '../lib/prefs'
import { keyOf, type ActionName } from './actions'

export type Shortcuts = Partial<Record<ActionName, () => void>>

/** The name of the key that was pressed, or '' for a key that belongs to an input method or a browser's command. */
export function pressed(e: KeyboardEvent): string {
  if (e.isComposing || e.keyCode === 229 || e.ctrlKey || e.metaKey || e.altKey) return ''
  if (e.key === ' ') return 'Space'
  return e.key.length === 1 ? e.key.toLowerCase() : e.key
}

/** As pressed, but '' where the key must be left to what has the focus. */
export function keyName(e: KeyboardEvent): string {
  if (e.defaultPrevented) return ''
  const at = e.target instanceof Element ? e.target : null
  if (at?.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"]')) return ''
  // Space and Enter belong to the control that has the focus.
  if ((e.key === ' ' || e.key === 'Enter') && at?.closest('button, a, summary, [role="button"], [role="switch"]')) return ''
  return pressed(e)
}

/** Binds actions to their keys for as long as the component stands, where the person wants them. */
export function useShortcuts(bound: Shortcuts): void {
  const latest = useRef(bound)
  useEffect(() => { latest.current = bound })
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      const key = keyName(e)
      // Escape and Enter are no character keys: they work also with shortcuts off.
      if (!key || (!prefs.get().shortcuts && key !== 'Escape' && key !== 'Enter')) return
      const name = (Object.keys(latest.current) as ActionName[]).find((n) => keyOf(n) === key)
      const f = name && latest.current[name]
      if (!f) return
      e.preventDefault()
      f()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
