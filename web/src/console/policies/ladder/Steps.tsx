import { Button } from 'react-aria-components'
import { useText, type TextKey } from '../../../i18n/text'
import { ends, penaltyKinds, type Step } from '../../../lib/ladder'
import { at, faultsAt, put, type Body, type Json } from '../../../lib/layer'
import { categoryName, plain } from '../../../lib/words'
import { FaultsAt } from '../../../ui/Faults'
import { CloseIcon } from '../../../ui/icons'
import { allCategories } from '../../../lib/wire'
import type { Draft } from '../useDraft'

interface Props { d: Draft; where: string; window: number | undefined }

/** Steps are what is given from which weight on, a line each. */
export function Steps({ d, where, window }: Props) {
  const t = useText()
  const steps = (at(d.body, where) ?? []) as unknown as Step[]
  const set = (next: readonly Step[]) => d.set(put(d.body, where, next as unknown as Json))
  const change = (i: number, key: string, v: Json | undefined) => set(steps.map((s, k) => (k === i ? (put(s as unknown as Body, `/${key}`, v) as unknown as Step) : s)))
  const last = steps.at(-1)
  return (
    <>
      {steps.length === 0 && <p className="muted">{t('ladder.no_steps')}</p>}
      {steps.length > 0 && <div className="step-head muted small" aria-hidden="true"><span>{t('ladder.from_weight')}</span><span>{t('ladder.gives')}</span><span>{t('ladder.hours')}</span><span>{t('ladder.step_window')}</span><span>{t('ladder.strikes_of')}</span></div>}
      <ol className="step-rows">
        {steps.map((s, i) => (
          <li key={i}><div className="step-row" role="group" aria-label={t('ladder.step', { n: i + 1 })}>
            <Num label={t('ladder.from_weight')} value={s.weight} most={1000} onChange={(v) => change(i, 'weight', v ?? 0)} />
            <label><span className="step-word">{t('ladder.gives')}</span>
              <select value={s.kind} onChange={(e) => { const kind = e.target.value; const { hours, ...rest } = s; set(steps.map((x, k) => (k === i ? ({ ...rest, kind, ...(ends(kind) && hours ? { hours } : {}) } as Step) : x))) }}>{penaltyKinds.map((k) => <option key={k} value={k}>{plain(k)}</option>)}</select></label>
            {ends(s.kind) ? <Num label={t('ladder.hours')} value={s.hours} most={8760} hint={s.kind === 'suspend' ? '' : t('ladder.for_good')} onChange={(v) => change(i, 'hours', v)} /> : <span className="muted small step-none">{s.kind === 'ban' ? t('ladder.for_good') : '–'}</span>}
            <Num label={t('ladder.step_window')} value={s.window_days} most={3650} hint={window === undefined ? '' : String(window)} onChange={(v) => change(i, 'window_days', v)} />
            <Among of={s.categories ?? []} rest={t(steps.some((x) => x.categories?.length) ? 'ladder.all_others' : 'ladder.all')} label={t('ladder.step', { n: i + 1 })} onChange={(list) => change(i, 'categories', list.length ? [...list] : undefined)} />
            <Button className="icon-button tiny" aria-label={t('ladder.remove', { n: i + 1 })} onPress={() => set(steps.filter((_, k) => k !== i))}><CloseIcon size={13} /></Button>
          </div>
            <FaultsAt of={faultsAt(d.faults, `${where}/${i}`).map((f) => ({ ...f, reason: `${memberName(f.pointer.split('/').at(-1) ?? '', t)} ${f.reason}` }))} />
          </li>
        ))}
      </ol>
      <div className="row-of"><Button className="button small" onPress={() => set([...steps, { weight: (last?.weight ?? 0) + 1, kind: 'mute_text', hours: 24 }])}>{t('ladder.add_step')}</Button></div>
    </>
  )
}

const members: Record<string, TextKey> = { weight: 'ladder.from_weight', kind: 'ladder.gives', hours: 'ladder.hours', window_days: 'ladder.step_window' }
const memberName = (member: string, t: ReturnType<typeof useText>) => t(members[member] ?? 'ladder.strikes_of')

function Num({ label, value, most, hint, onChange }: { label: string; value: number | undefined; most: number; hint?: string; onChange: (v: number | undefined) => void }) {
  return <label><span className="step-word">{label}</span><input type="number" inputMode="numeric" min={1} max={most} step={1} value={value ?? ''} placeholder={hint} onChange={(e) => onChange(e.target.value === '' ? undefined : Number(e.target.value))} /></label>
}

/** Among are the categories whose strikes alone count for a step: those are a ladder of their own. */
function Among({ of, rest, label, onChange }: { of: readonly string[]; rest: string; label: string; onChange: (list: string[]) => void }) {
  const t = useText()
  return (
    <details className="among">
      <summary><span className="sr-only">{label}: {t('ladder.strikes_of')} </span>{of.length ? of.map(categoryName).join(', ') : rest}</summary>
      <div className="among-list">{allCategories.map((c) => <label key={c} className="check small"><input type="checkbox" checked={of.includes(c)} onChange={(e) => onChange(e.target.checked ? [...of, c] : of.filter((x) => x !== c))} /><span>{categoryName(c)}</span></label>)}</div>
    </details>
  )
}
