// Most of what moderators ask is about one app: the query names it. The rail has
// the choice; screens take it from here.
import { prefs } from './prefs'
import { useApi } from './query'
import { useStore } from './store'

/** The app that is looked at, '' while it is not known, and all there are. */
export function useAppId(): { app: string; apps: readonly string[]; error: unknown; pending: boolean; again: () => void } {
  const { app } = useStore(prefs)
  const q = useApi('/apps/names')
  const apps = q.data?.apps ?? []
  return { app: apps.includes(app) ? app : (apps[0] ?? ''), apps, error: q.error, pending: q.isPending, again: () => void q.refetch() }
}
