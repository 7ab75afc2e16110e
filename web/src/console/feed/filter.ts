// The feed's filter and its form in the URL: `#/feed?s=block,review&cat=spam&q=gold`.
import { allCategories, contentKinds, modes, suggestions, type FeedEvent, type Mode, type Suggestion } from '../../lib/wire'
import { found } from '../../lib/words'

export interface Filter {
  /** Empty is all. */
  suggestion: readonly Suggestion[]
  category: string
  kind: (typeof contentKinds)[number] | ''
  mode: Mode | ''
  app: string
  scene: string
  player: string
  text: string
  /** Only what waits for a person. */
  waiting: boolean
}

export const noFilter: Filter = {
  suggestion: [], category: '', kind: '', mode: '', app: '', scene: '', player: '', text: '', waiting: false,
}

const max = 200

/** Reads the query; what it doesn't know or can't be is left out. */
export function parseFilter(query: string): Filter {
  const p = new URLSearchParams(query)
  const word = (key: string) => (p.get(key) ?? '').slice(0, max)
  const one = <T extends string>(key: string, known: readonly T[]): T | '' => known.find((k) => k === p.get(key)) ?? ''
  const asked = word('s').split(',')
  return {
    suggestion: suggestions.filter((s) => asked.includes(s)),
    category: one('cat', allCategories),
    kind: one('kind', contentKinds),
    mode: one('mode', modes),
    app: word('app'),
    scene: word('scene'),
    player: word('player'),
    text: word('q'),
    waiting: p.get('waiting') === '1',
  }
}

/** The query of a filter, '' for none; parseFilter reads it back. */
export function formatFilter(f: Filter): string {
  const p = new URLSearchParams()
  if (f.suggestion.length) p.set('s', suggestions.filter((s) => f.suggestion.includes(s)).join(','))
  if (f.category) p.set('cat', f.category)
  if (f.kind) p.set('kind', f.kind)
  if (f.mode) p.set('mode', f.mode)
  if (f.app) p.set('app', f.app)
  if (f.scene) p.set('scene', f.scene)
  if (f.player) p.set('player', f.player)
  if (f.text) p.set('q', f.text)
  if (f.waiting) p.set('waiting', '1')
  return p.toString().replaceAll('%2C', ',')
}

export const isFiltered = (f: Filter) => formatFilter(f) !== ''

/** A test for events; `decided` says whether somebody already decided the event's case. */
export function matcher(f: Filter): (e: FeedEvent & { decided?: unknown }) => boolean {
  const app = f.app.toLowerCase()
  const scene = f.scene.toLowerCase()
  const player = f.player.toLowerCase()
  const text = f.text.normalize('NFKC').toLowerCase()
  return (e) => {
    const what = found(e)
    if (f.suggestion.length && !f.suggestion.includes(what.suggestion)) return false
    if (f.category && !what.label.some((l) => l.category === f.category)) return false
    if (f.kind && e.kind !== f.kind) return false
    if (f.mode && e.mode !== f.mode) return false
    if (f.waiting && (!e.case_id || e.decided)) return false
    if (app && !e.app_id.toLowerCase().includes(app)) return false
    if (scene && !(e.scene_id ?? '').toLowerCase().includes(scene)) return false
    if (player && !e.player_id.toLowerCase().includes(player)) return false
    return !text || e.content.normalize('NFKC').toLowerCase().includes(text)
  }
}
