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
  approve: { key: 'a', group: 'review', label: 'review.key_approve' },
  reject: { key: 'x', group: 'review', label: 'review.key_reject' },
  pick1: { key: '1', group: 'review', label: 'review.key_pick1' },
  pick2: { key: '2', group: 'review', label: 'review.key_pick2' },
  pick3: { key: '3', group: 'review', label: 'review.key_pick3' },
  pick4: { key: '4', group: 'review', label: 'review.key_pick4' },
  pick5: { key: '5', group: 'review', label: 'review.key_pick5' },
  submit: { key: 'Enter', group: 'review', label: 'review.key_submit' },
  reason: { key: 'r', group: 'review', label: 'review.key_reason' },
  category: { key: 'c', group: 'review', label: 'review.key_category' },
  uncover: { key: 'b', group: 'review', label: 'review.key_uncover' },
  grey: { key: 'g', group: 'review', label: 'review.key_grey' },
  sound: { key: 'm', group: 'review', label: 'review.key_sound' },
  escalate: { key: 'e', group: 'review', label: 'review.key_escalate' },
  putAside: { key: 'h', group: 'review', label: 'review.key_hold' },
  handover: { key: 'o', group: 'review', label: 'review.key_handover' },
  skip: { key: 's', group: 'review', label: 'review.key_skip' },
  release: { key: 'l', group: 'review', label: 'review.key_release' },
  undo: { key: 'u', group: 'review', label: 'review.key_undo' },
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
