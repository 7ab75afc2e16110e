// What violations come to: the penalty ladder as data, and what it makes of strikes,
// as internal/penalty does it. test/ladder.test.ts has the same cases as its tests.
import type { components } from './api.gen'
import { pointer, type Body, type Json } from './layer'

export type LadderRules = components['schemas']['LadderInput']
export type Ladder = components['schemas']['Ladder']
export type Step = components['schemas']['LadderSteps'][number]
export type LadderLayer = components['schemas']['LadderLayer']

/** The row of weights for categories that have none. */
export const byDefault = 'default'
export const penaltyKinds = ['warn', 'mute_text', 'mute_voice', 'trade_lock', 'suspend', 'ban'] as const
/** Whether a penalty of a kind may end; a warning is said once and a ban is for good. */
export const ends = (kind: string): boolean => kind !== 'warn' && kind !== 'ban'

/** What a ladder says, without whose it is: what is sent back when it is changed. */
export function rulesOf(ladder: Ladder): Body {
  const body: Record<string, unknown> = { ...ladder }
  for (const key of ['version', 'by', 'changed_at', 'code', 'request_id']) delete body[key]
  return body as Body
}

/** The steps in the order of their weights, which is asked for; those of one weight stay as they are. */
export const sortedSteps = (steps: readonly Json[]): Json[] => [...steps].sort((a, b) => weightOf(a) - weightOf(b))
const weightOf = (s: Json) => Number((s as Body)?.['weight'] ?? 0)

/** A ladder with the steps of it and of its layers in order. */
export function tidy(body: Body): Body {
  const out = { ...body }
  if (Array.isArray(out['steps'])) out['steps'] = sortedSteps(out['steps'])
  const layers = out['layers']
  if (layers && typeof layers === 'object' && !Array.isArray(layers)) out['layers'] = Object.fromEntries(Object.entries(layers).map(([id, l]) => [id, tidy(l as Body)]))
  return out
}

/** A ladder whose steps have names instead of places, so that differences tell one step and not all. */
export function comparable(body: Body): Body {
  const out = { ...body }
  if (Array.isArray(out['steps'])) {
    const steps: Body = {}
    for (const s of out['steps'] as Body[]) {
      const among = ((s['categories'] as string[] | undefined) ?? []).join(', ')
      let name = `${s['weight'] ?? '?'} ${s['kind'] ?? '?'}${among && ` (${among})`}`
      while (name in steps) name += ' '
      const { weight: _, kind: __, categories: ___, ...rest } = s
      steps[name] = Object.keys(rest).length ? rest : true
    }
    out['steps'] = steps
  }
  const layers = out['layers']
  if (layers && typeof layers === 'object' && !Array.isArray(layers)) out['layers'] = Object.fromEntries(Object.entries(layers).map(([id, l]) => [id, comparable(l as Body)]))
  return out
}

/** The place of what a ladder says for a layer of the policy, such as `segment/minor`. */
export const layerAt = (id: string): string => pointer('layers', id)

/** The ladder that holds for content under layers of a policy, the most general one first. */
export function under(r: LadderRules, layers: readonly string[]): LadderRules {
  const out = { ...r }
  for (const id of layers) {
    const l = r.layers?.[id]
    if (!l) continue
    if (l.automatic !== undefined) out.automatic = l.automatic
    if (l.window_days) out.window_days = l.window_days
    if (l.weights && Object.keys(l.weights).length) out.weights = weightsOver(out.weights, l.weights)
    if (l.start) out.start = l.start
    if (l.steps?.length) out.steps = l.steps
  }
  return out
}

type Weights = LadderRules['weights']
/** Rows over others; what is said of a category stands for its sub-labels too. */
function weightsOver(below: Weights, rows: Record<string, number[]>): Weights {
  const kept = Object.entries(below).filter(([name]) => { const [category = '', label] = name.split('/'); return label === undefined || !rows[category]?.length })
  return { ...Object.fromEntries(kept), ...rows } as Weights
}

/** What a strike weighs. */
export function weigh(r: LadderRules, category: string, label: string, severity: number): number {
  const rows: Record<string, number[] | undefined> = r.weights
  const row = [rows[`${category}/${label}`], rows[category], rows[byDefault]].find((x) => x?.length)
  return row ? (row[Math.min(Math.max(severity, 1), row.length) - 1] ?? 0) : 0
}

/** Whether strikes of a category count for a step: its own categories', else those that no step names. */
export function counts(steps: readonly Step[], s: Step, category: string): boolean {
  return s.categories?.length ? s.categories.includes(category) : !steps.some((o) => o.categories?.includes(category))
}

/** The step that a single strike of a category reaches at least. */
export function startOf(r: LadderRules, category: string): Step | undefined {
  const kind = r.start?.[category]
  return kind && r.steps.find((s) => s.kind === kind && counts(r.steps, s, category))
}

export interface Rung { strike: number; sum: number; steps: Step[] }

/** What each of so many like strikes within a window comes to, the first one first. */
export function climb(r: LadderRules, category: string, label: string, severity: number, strikes: number): Rung[] {
  const weight = weigh(r, category, label, severity)
  const mine = r.steps.filter((s) => counts(r.steps, s, category))
  return Array.from({ length: strikes }, (_, i) => {
    const sum = weight * (i + 1)
    let top = Math.max(0, ...mine.filter((s) => s.weight <= sum).map((s) => s.weight))
    const start = startOf(r, category)
    if (start && start.weight > top) top = start.weight
    return { strike: i + 1, sum, steps: weight === 0 ? [] : mine.filter((s) => s.weight === top) }
  })
}
