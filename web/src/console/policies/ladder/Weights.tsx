import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../../i18n/text'
import { byDefault } from '../../../lib/ladder'
import { at, faultsAt, pointer, put } from '../../../lib/layer'
import { categoryName, plain } from '../../../lib/words'
import { FaultsAt } from '../../../ui/Faults'
import { CloseIcon } from '../../../ui/icons'
import { Card } from '../../../ui/Page'
import { allCategories } from '../../../lib/wire'
import type { Draft } from '../useDraft'

const severities = [1, 2, 3, 4] as const
interface Props { d: Draft; of: string; where: string; below?: Record<string, number[]> }

/** Weights are what a strike weighs, by what it was and how severe it is. */
export function Weights({ d, of, where, below }: Props) {
  const t = useText()
  const rows = (at(d.body, where) ?? {}) as unknown as Record<string, number[]>
  const names = Object.keys(rows).sort((a, b) => Number(b === byDefault) - Number(a === byDefault) || a.localeCompare(b))
  const set = (name: string, row: number[] | undefined) => d.set(put(d.body, where + pointer(name), row))
  // A row may be shorter: its last weight stands for what is more severe.
  const full = (row: readonly number[]) => severities.map((_, i) => row[Math.min(i, row.length - 1)] ?? 0)
  const change = (name: string, i: number, v: string) => set(name, full(rows[name] ?? []).map((w, k) => (k === i ? Number(v || 0) : w)))
  return (
    <Card title={t('ladder.weights')} label={of ? `${t('ladder.weights')}: ${of}` : t('ladder.weights')}>
      <p className="muted small">{t(below ? 'ladder.weights_layer_text' : 'ladder.weights_text')}</p>
      {names.length > 0 && (
        <div className="scrolls"><table className="weights">
          <thead><tr><th scope="col">{t('policies.category')}</th>{severities.map((n) => <th key={n} scope="col"><span className="wide-word">{t('ladder.severity', { n })}</span><span className="narrow-word" aria-hidden="true">{n}</span></th>)}<th><span className="sr-only">{t('policies.remove_word')}</span></th></tr></thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{nameOf(name, t('ladder.rest'))}<FaultsAt of={faultsAt(d.faults, where + pointer(name))} /></th>
                {full(rows[name] ?? []).map((w, i) => <td key={i}><input type="number" inputMode="numeric" min={0} max={1000} step={1} value={w} aria-label={`${nameOf(name, t('ladder.rest'))}, ${t('ladder.severity', { n: i + 1 })}`} onChange={(e) => change(name, i, e.target.value)} /></td>)}
                <td>{(name !== byDefault || below) && <Button className="icon-button tiny" aria-label={`${t('policies.remove_word')}: ${nameOf(name, t('ladder.rest'))}`} onPress={() => set(name, undefined)}><CloseIcon size={13} /></Button>}</td>
              </tr>
            ))}
          </tbody>
        </table></div>
      )}
      <AddRow taken={names} onAdd={(name) => set(name, full(rows[name.split('/')[0] ?? ''] ?? below?.[name.split('/')[0] ?? ''] ?? rows[byDefault] ?? below?.[byDefault] ?? [1]))} />
    </Card>
  )
}

export function nameOf(row: string, rest: string): string {
  if (row === byDefault) return rest
  const [category = '', label] = row.split('/')
  return label ? `${categoryName(category)} · ${plain(label)}` : categoryName(category)
}

function AddRow({ taken, onAdd }: { taken: readonly string[]; onAdd: (name: string) => void }) {
  const t = useText()
  const [category, setCategory] = useState('')
  const [label, setLabel] = useState('')
  const name = label.trim() ? `${category}/${label.trim()}` : category
  const ready = category !== '' && !taken.includes(name)
  return (
    <div className="fields" role="group" aria-label={t('ladder.add_row')}>
      <label className="input"><span>{t('policies.category')}</span>
        <select value={category} onChange={(e) => setCategory(e.target.value)}><option value="">{t('review.choose')}</option>{!taken.includes(byDefault) && <option value={byDefault}>{t('ladder.rest')}</option>}{allCategories.map((c) => <option key={c} value={c}>{categoryName(c)}</option>)}</select></label>
      <label className="input"><span>{t('ladder.label')}</span><input value={label} maxLength={64} spellCheck={false} autoComplete="off" disabled={category === byDefault} onChange={(e) => setLabel(e.target.value)} /></label>
      <Button className="button small" isDisabled={!ready} onPress={() => { onAdd(name); setCategory(''); setLabel('') }}>{t('ladder.add_row')}</Button>
    </div>
  )
}
