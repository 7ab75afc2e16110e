import { Button } from 'react-aria-components'
import { useText } from '../../../i18n/text'
import { byDefault, penaltyKinds, type LadderRules } from '../../../lib/ladder'
import { at, faultsAt, pointer, put, type Json } from '../../../lib/layer'
import { categoryName, plain } from '../../../lib/words'
import { FaultsAt } from '../../../ui/Faults'
import { Card } from '../../../ui/Page'
import { allCategories } from '../../../lib/wire'
import type { Draft } from '../useDraft'
import { Count } from './Count'
import { Steps } from './Steps'
import { Weights } from './Weights'

interface Props {
  d: Draft
  /** '' for the ladder itself, else the pointer of a layer, which says only what differs. */
  where: string
  below?: LadderRules
  /** The layer's name. */
  of?: string
}

/** Rules are the fields of a ladder, or of what one says for a layer of the policy. */
export function Rules({ d, where, below, of }: Props) {
  return (
    <>
      <Basics d={d} where={where} of={of ?? ''} {...(below ? { below } : {})} />
      <Part d={d} of={of ?? ''} where={`${where}/steps`} title="ladder.steps" text="ladder.steps_text" below={below?.steps as Json | undefined}>
        <Steps d={d} where={`${where}/steps`} window={(at(d.body, `${where}/window_days`) as number | undefined) ?? below?.window_days} />
      </Part>
      <Weights d={d} of={of ?? ''} where={`${where}/weights`} {...(below ? { below: below.weights as Record<string, number[]> } : {})} />
      <Part d={d} of={of ?? ''} where={`${where}/start`} title="ladder.start" text="ladder.start_text" below={below && ((below.start ?? {}) as Json)}>
        <Start d={d} where={`${where}/start`} />
      </Part>
    </>
  )
}

/** What a part is called for who does not see where it stands. */
const partOf = (title: string, of: string) => (of ? `${title}: ${of}` : title)

function Basics({ d, where, below, of = '' }: Props) {
  const t = useText()
  const automatic = at(d.body, `${where}/automatic`) as boolean | undefined
  const said = (on: boolean | undefined) => t(on ? 'ladder.automatic_on' : 'ladder.automatic_off')
  return (
    <Card title={t('ladder.basics')} label={partOf(t('ladder.basics'), of)}>
      <div className="fields wide-fields">
        <label className={below && automatic !== undefined ? 'input input-set' : 'input'}><span>{t('ladder.automatic')}</span>
          <select value={automatic === undefined ? '' : String(automatic)} onChange={(e) => d.set(put(d.body, `${where}/automatic`, e.target.value === '' ? undefined : e.target.value === 'true'))}>
            {(below || automatic === undefined) && <option value="">{below ? t('policies.inherit_value', { value: said(below.automatic) }) : said(false)}</option>}
            <option value="false">{said(false)}</option>
            <option value="true">{said(true)}</option>
          </select>
          <FaultsAt of={faultsAt(d.faults, `${where}/automatic`)} /></label>
        <Count d={d} where={`${where}/window_days`} label={t('ladder.window')} most={3650} set={below !== undefined} {...(below ? { hint: String(below.window_days) } : {})} />
      </div>
    </Card>
  )
}

interface PartShape { d: Draft; of: string; where: string; title: 'ladder.steps' | 'ladder.start'; text: 'ladder.steps_text' | 'ladder.start_text'; below: Json | undefined; children: React.ReactNode }

/** Part is what a layer replaces as a whole or leaves as it is below. */
function Part({ d, of, where, title, text, below, children }: PartShape) {
  const t = useText()
  const own = below === undefined || at(d.body, where) !== undefined
  const layered = below !== undefined
  return (
    <Card title={t(title)} label={partOf(t(title), of)} actions={layered && (own
      ? <Button className="button small" onPress={() => d.set(put(d.body, where, undefined))}>{t('ladder.as_below')}</Button>
      : <Button className="button small" onPress={() => d.set(put(d.body, where, below))}>{t('ladder.own')}</Button>)}>
      <p className="muted small">{t(text)}</p>
      {own ? children : <p className="muted">{t('ladder.is_below')}</p>}
      <FaultsAt of={d.faults.filter((f) => f.pointer === where)} />
    </Card>
  )
}

function Start({ d, where }: { d: Draft; where: string }) {
  const t = useText()
  const start = (at(d.body, where) ?? {}) as Record<string, string>
  const free = allCategories.filter((c) => !(c in start))
  // An empty one stays: it says that nothing starts higher.
  const set = (next: Record<string, string>) => d.set(put(d.body, where, next))
  return (
    <>
      <ul className="ladder-rows">
        {Object.entries(start).map(([category, kind]) => (
          <li key={category} className="row-of">
            <label className="row-of"><span className="ladder-name">{categoryName(category)}</span>
              <select value={kind} onChange={(e) => set({ ...start, [category]: e.target.value })}>{penaltyKinds.map((k) => <option key={k} value={k}>{plain(k)}</option>)}</select></label>
            <Button className="link-button small" onPress={() => { const { [category]: _, ...rest } = start; set(rest) }}>{t('policies.remove_word')}<span className="sr-only">: {categoryName(category)}</span></Button>
            <FaultsAt of={faultsAt(d.faults, where + pointer(category))} />
          </li>
        ))}
      </ul>
      {Object.keys(start).length === 0 && <p className="muted">{t('ladder.no_start')}</p>}
      <Adder label={t('ladder.add_start')} of={free} onAdd={(c) => set({ ...start, [c]: 'mute_text' })} />
    </>
  )
}

/** Adder is a list from which a category is added. */
export function Adder({ label, of, onAdd }: { label: string; of: readonly string[]; onAdd: (category: string) => void }) {
  const t = useText()
  return (
    <label className="input narrow-input"><span>{label}</span>
      <select value="" onChange={(e) => { if (e.target.value) onAdd(e.target.value) }}>
        <option value="">{t('review.choose')}</option>
        {of.map((c) => <option key={c} value={c}>{c === byDefault ? t('ladder.rest') : categoryName(c)}</option>)}
      </select></label>
  )
}
