// The console's place is in the URL's fragment, `#/feed?s=block`, so that any
// static server can serve it and a place can be sent to a colleague.
import { useSyncExternalStore } from 'react'

export interface Route { path: string; query: string }

export function parseRoute(hash: string): Route {
  const rest = hash.replace(/^#/, '')
  const at = rest.indexOf('?')
  return at < 0 ? { path: rest, query: '' } : { path: rest.slice(0, at), query: rest.slice(at + 1) }
}

const listeners = new Set<() => void>()
function subscribe(f: () => void) {
  listeners.add(f)
  window.addEventListener('hashchange', f)
  return () => { listeners.delete(f); window.removeEventListener('hashchange', f) }
}

/** The href of a place in the console; parts of the path are encoded, an empty query is left out. */
export function placeOf(path: readonly string[], query: Record<string, string | undefined> = {}): string {
  const q = new URLSearchParams()
  for (const [k, v] of Object.entries(query)) if (v) q.set(k, v)
  return `#/${path.map(encodeURIComponent).join('/')}${q.size ? `?${q}` : ''}`
}

/** Goes to a place without a new entry in the history. */
export function replaceRoute(path: string, query = ''): void {
  history.replaceState(null, '', `#${path}${query ? `?${query}` : ''}`)
  for (const f of listeners) f()
}

/** Goes to a place, so that Back returns. */
export function goTo(href: string): void { location.hash = href.replace(/^#/, '') }

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash, () => ''))
}
