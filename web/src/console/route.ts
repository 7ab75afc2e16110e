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

/** Goes to a place without a new entry in the history. */
export function replaceRoute(path: string, query = ''): void {
  history.replaceState(null, '', `#${path}${query ? `?${query}` : ''}`)
  for (const f of listeners) f()
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.hash, () => ''))
}
