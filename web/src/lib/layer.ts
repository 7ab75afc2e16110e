// What a policy layer says, as data: settings are named by JSON pointers, as the
// gateway's faults and differences are.
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Body = { [key: string]: Json }

const isObject = (v: unknown): v is Body => typeof v === 'object' && v !== null && !Array.isArray(v)

const unescape = (s: string) => s.replaceAll('~1', '/').replaceAll('~0', '~')
const escape = (s: string) => s.replaceAll('~', '~0').replaceAll('/', '~1')
/** The parts of a pointer: `/categories/spam/action` (RFC 6901). */
export const parts = (pointer: string): string[] => pointer.split('/').slice(1).map(unescape)
export const pointer = (...of: readonly (string | number)[]): string => of.map((p) => `/${escape(String(p))}`).join('')

/** What stands at a pointer, undefined where nothing does. */
export function at(body: Json | undefined, where: string): Json | undefined {
  let v: Json | undefined = body
  for (const p of parts(where)) {
    if (Array.isArray(v)) v = v[Number(p)]
    else if (isObject(v)) v = v[p]
    else return undefined
  }
  return v
}

/** A copy with a value at a pointer; undefined takes it out, and what is empty then. */
export function put(body: Body, where: string, value: Json | undefined): Body {
  const [first, ...rest] = parts(where)
  if (first === undefined) return body
  const next = { ...body }
  if (rest.length === 0) {
    if (value === undefined) delete next[first]
    else next[first] = value
    return next
  }
  const inner = put(isObject(next[first]) ? next[first] : {}, pointer(...rest), value)
  if (Object.keys(inner).length === 0) delete next[first]
  else next[first] = inner
  return next
}

export interface Change { pointer: string; was?: Json; is?: Json }

const same = (a: Json | undefined, b: Json | undefined) => JSON.stringify(a) === JSON.stringify(b)
/** The term of a word, which may be written as itself alone. */
export const termOf = (w: Json): string => (isObject(w) ? String(w['term'] ?? '') : String(w))
const words = (key: string) => key === 'prohibited' || key === 'exceptions'

function byTerm(list: Json | undefined): Map<string, Json> {
  return new Map((Array.isArray(list) ? list : []).map((w) => [termOf(w), w]))
}

/** What differs between two bodies, setting by setting and word by word, as the gateway tells it of versions. */
export function differences(was: Body, is: Body, above: readonly string[] = []): Change[] {
  const out: Change[] = []
  const tell = (path: readonly string[], a: Json | undefined, b: Json | undefined) => {
    if (!same(a, b)) out.push({ pointer: pointer(...path), ...(a === undefined ? {} : { was: a }), ...(b === undefined ? {} : { is: b }) })
  }
  for (const key of [...new Set([...Object.keys(was), ...Object.keys(is)])].sort()) {
    const [a, b] = [was[key], is[key]]
    const path = [...above, key]
    if (above.length === 0 && words(key)) {
      const [from, to] = [byTerm(a), byTerm(b)]
      for (const term of [...new Set([...from.keys(), ...to.keys()])].sort()) tell([...path, term], from.get(term), to.get(term))
    } else if (isObject(a) || isObject(b)) out.push(...differences(isObject(a) ? a : {}, isObject(b) ? b : {}, path))
    else tell(path, a, b)
  }
  return out
}

export interface Fault { pointer: string; reason: string }

/** The faults at a setting or below it. */
export const faultsAt = (faults: readonly Fault[], where: string): Fault[] => faults.filter((f) => f.pointer === where || f.pointer.startsWith(`${where}/`))

/** The faults that no field of the form shows: they are told above it. */
export const homeless = (faults: readonly Fault[], fields: readonly string[]): Fault[] => faults.filter((f) => !fields.some((w) => f.pointer === w || f.pointer.startsWith(`${w}/`)))

/** Takes a prefix off the faults of a body that was sent inside something else. */
export const within = (faults: readonly Fault[], prefix: string): Fault[] => faults.map((f) => ({ ...f, pointer: f.pointer.startsWith(`${prefix}/`) ? f.pointer.slice(prefix.length) : f.pointer }))

/** The question that a layer is the most specific answer to, so that what it inherits can be asked for. */
export function questionOf(layer: string, name: string): { scene_id?: string; region?: string; language?: string; segment?: string } {
  switch (layer) {
    case 'region': return name.startsWith('lang:') ? { language: name.slice(5) } : { region: name }
    case 'mode':
    case 'channel': return { scene_id: name.endsWith('*') ? `${name.slice(0, -1)}1` : name }
    case 'segment': return { segment: name }
    default: return {}
  }
}

/** The kinds of layers in the order in which they count, the most general first. */
export const layerKinds = ['base', 'global', 'language', 'region', 'mode', 'channel', 'segment'] as const
export type LayerKind = (typeof layerKinds)[number]
/** A language's layer is stored among the regions, as `lang:ja`. */
export const kindOf = (layer: string, name: string): LayerKind => (layer === 'region' && name.startsWith('lang:') ? 'language' : (layer as LayerKind))
export const storedAs = (kind: LayerKind, name: string): { layer: string; name: string } => (kind === 'language' ? { layer: 'region', name: `lang:${name}` } : kind === 'global' ? { layer: 'global', name: 'default' } : { layer: kind, name })
export const shownName = (name: string): string => name.replace(/^lang:/, '')

/** The order of a rollout's steps; a share stands for itself. */
export const rolloutSteps = ['draft', 'tested', 'backtest', 'shadow', '1', '10', '50', '100', 'live'] as const
export type RolloutStep = (typeof rolloutSteps)[number]

interface Going { state: string; share: number; step?: string | undefined }
/** Where a rollout stands on its way: of one that is paused or has ended, where it stood. */
export function stepOf(r: Going): RolloutStep | undefined {
  const state = r.state === 'paused' || r.state === 'stopped' || r.state === 'returned' ? r.step : r.state
  const step = state === 'partial' ? String(r.share) : state
  return rolloutSteps.find((s) => s === step)
}

/** What the next step is called, undefined at the end; one that is paused goes on where it was. */
export function nextStep(r: Going): RolloutStep | undefined {
  const now = stepOf(r)
  if (!now || r.state === 'stopped' || r.state === 'returned' || r.state === 'live' || r.state === 'proposed') return undefined
  return r.state === 'paused' ? now : rolloutSteps[rolloutSteps.indexOf(now) + 1]
}

export const running = (state: string): boolean => !['live', 'stopped', 'returned', 'proposed'].includes(state)

interface Side { decisions: number; pass: number; review: number; block: number; block_share?: number | undefined; review_share?: number | undefined }
interface Counted { live: Side; draft: Side; pairs: readonly { live: string; draft: string; decisions: number }[] }

function sideOf(pairs: Counted['pairs'], which: 'live' | 'draft'): Side {
  const n = { pass: 0, review: 0, block: 0 }
  for (const p of pairs) if (p[which] in n) n[p[which] as 'pass'] += p.decisions
  const decisions = n.pass + n.review + n.block
  return { decisions, ...n, ...(decisions ? { block_share: n.block / decisions, review_share: n.review / decisions } : {}) }
}

/** Both sides of a step. In shadow the draft's word stands for nobody: what it would say of the same items stands in for it. */
export function sidesOf(s: Counted): { live: Side; draft: Side; same: boolean } {
  if (s.draft.decisions > 0 || s.pairs.length === 0) return { live: s.live, draft: s.draft, same: false }
  return { live: sideOf(s.pairs, 'live'), draft: sideOf(s.pairs, 'draft'), same: true }
}

/** Where settings stand that are single values: what is in objects is told one by one, lists are one value. */
export function leaves(body: Body, above: readonly string[] = []): string[] {
  return Object.entries(body).flatMap(([key, v]) => (isObject(v) ? leaves(v, [...above, key]) : [pointer(...above, key)]))
}

/** The settings of a layer that no field of its own stands for: those it has, those it inherits, those there can be. */
export function others(body: Body, inherited: readonly string[], known: readonly string[], fields: readonly string[]): string[] {
  const own = leaves(body)
  const all = [...new Set([...known, ...inherited, ...own])]
  return all.filter((p) => !fields.some((f) => p === f || p.startsWith(`${f}/`)))
}
