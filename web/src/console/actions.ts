// What single keys can do, one line each: the name by which screens bind it, its
// usual key, its group in the preferences, and its text.
import type { TextKey } from '../i18n/text'
import { prefs } from '../lib/prefs'

export interface Action { key: string; group: 'anywhere' | 'list' | 'feed' | 'review'; label: TextKey }

export const actions = {
  help: { key: '?', group: 'anywhere', label: 'shell.key_help' },
  search: { key: '/', group: 'anywhere', label: 'shell.key_search' },
  close: { key: 'Escape', group: 'anywhere', label: 'shell.key_close' },
  next: { key: 'j', group: 'list', label: 'shell.key_next' },
  previous: { key: 'k', group: 'list', label: 'shell.key_previous' },
  open: { key: 'Enter', group: 'list', label: 'shell.key_open' },
  pause: { key: 'Space', group: 'feed', label: 'shell.key_pause' },
  reveal: { key: 'b', group: 'feed', label: 'shell.key_reveal' },
  fresh: { key: 'n', group: 'feed', label: 'shell.key_fresh' },
} satisfies Record<string, Action>

export type ActionName = keyof typeof actions
export const actionNames = Object.keys(actions) as ActionName[]

/** The key of an action now: the one it was given, else the usual one. */
export const keyOf = (name: ActionName): string => prefs.get().keys[name] ?? actions[name].key

/** Other actions that the same key would do, where both can be bound at once. */
export function clashes(name: ActionName, key: string): ActionName[] {
  const { group } = actions[name] as Action
  const meets = (g: Action['group']) => g === group || g === 'anywhere' || group === 'anywhere' || g === 'list' || group === 'list'
  return actionNames.filter((n) => n !== name && keyOf(n) === key && meets((actions[n] as Action).group))
}

/** A key as it is written on the keyboard. */
export const keyCap = (key: string): string => (key === 'Escape' ? 'Esc' : key.length === 1 ? key.toUpperCase() : key)
