// What settings and their values are called: differences and the resolved view name
// them by JSON pointers, people by the words of the form.
import { hasText, text, type TextKey } from '../../i18n/text'
import { kindOf, parts, shownName, type Json } from '../../lib/layer'
import { categoryName, modeName, plain } from '../../lib/words'

const fields: Record<string, TextKey> = {
  description: 'policies.description', reason: 'policies.told', mode: 'policies.mode', strictness: 'policies.strictness', stricter: 'policies.stricter', fail: 'policies.fail',
  record: 'policies.record', sample_rate: 'policies.sample_rate', approve_clear: 'policies.approve_clear', time_zone: 'policies.time_zone', game_mode: 'policies.game_mode',
  countries: 'policies.countries', escalate_mandatory: 'policies.escalate', lists: 'policies.lists', schedule: 'policies.schedule', prohibited: 'policies.prohibited', exceptions: 'policies.exceptions',
  action: 'policies.action', enabled: 'policies.on_or_off', mandatory: 'policies.mandatory', categories: 'policies.categories', acoustic: 'policies.acoustic', two_person: 'policies.two_person',
  steps: 'ladder.steps', weights: 'ladder.weights', start: 'ladder.start', automatic: 'ladder.automatic', window_days: 'ladder.window', hours: 'ladder.hours',
}

/** The words of a setting, the general one first: `/categories/spam/action` is Spam, Action. */
export function settingWords(pointer: string): string[] {
  const [first = '', ...rest] = parts(pointer)
  switch (first) {
    case 'categories': return [categoryName(rest[0] ?? ''), ...(rest[1] === 'sub_labels' ? [plain(rest[2] ?? ''), ...rest.slice(3).map(named)] : rest.slice(1).map(told))]
    case 'acoustic': return [plain(rest[0] ?? ''), ...rest.slice(1).map((key) => orPlain(`policies.sound_${key}`, key))]
    case 'prohibited':
    case 'exceptions': return [named(first), ...rest]
    case 'weights':
    case 'start': return [named(first), ...rest.map((r) => (r === 'default' ? text('ladder.rest') : r.split('/').map(plain).join(' · ')))]
    case 'steps': return [named(first), ...rest.map((r, i) => (i === 0 ? r.trim().replace(/[a-z_]{3,}/g, (id) => plain(id)) : named(r)))]
    case 'layers': { const [kind = '', ...name] = (rest[0] ?? '').split('/'); return [`${text(`policies.kind_${kindOf(kind, name.join('/'))}`)}: ${shownName(name.join('/'))}`, ...settingWords(`/${rest.slice(1).map((r) => r.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`)] }
    default: return rest.length ? [orPlain(`policies.set_${first}`, first), ...rest.map((r) => orPlain(`policies.set_${first}_${r}`, r))] : [named(first)]
  }
}

const orPlain = (key: string, id: string) => (hasText(key) ? text(key) : plain(id))
const named = (id: string) => { const key = fields[id]; return key ? text(key) : plain(id) }
/** Of a category: its reason is what players are told of it. */
const told = (id: string) => (id === 'reason' ? text('policies.told_of') : named(id))

/** A value as the form says it; undefined where it says it as it is written. */
export function valueWords(pointer: string, v: Json | undefined): string | undefined {
  const what = parts(pointer).at(-1) ?? ''
  const first = parts(pointer)[0]
  if (v === undefined) return undefined
  if (typeof v === 'boolean') return text(what === 'enabled' ? (v ? 'policies.on' : 'policies.off') : v ? 'policies.yes' : 'policies.no')
  const known = { action: `policies.act_${v}`, strictness: `policies.strict_${v}`, fail: `policies.fail_${v}`, record: `policies.record_${v}` }[what] ?? (first === 'fail_by_kind' ? `policies.fail_${v}` : '')
  if (known && hasText(known)) return text(known)
  if (what === 'mode' && typeof v === 'string') return modeName(v)
  return first === 'start' && typeof v === 'string' ? plain(v) : undefined
}
