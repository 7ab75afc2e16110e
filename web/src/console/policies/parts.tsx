import { rich, useText } from '../../i18n/text'
import type { Change, Json } from '../../lib/layer'
import type { components } from '../../lib/api.gen'
import { Table } from '../../ui/Table'
import { settingWords, valueWords } from './naming'

export type Policy = components['schemas']['Policy']
export type Rollout = components['schemas']['Rollout']
export type RolloutWithStats = components['schemas']['RolloutWithStats']
export type Backtest = components['schemas']['PolicyBacktest']
export type PolicyExplanation = components['schemas']['PolicyExplanation']

/** Source says where a layer comes from. */
export function Source({ of }: { of: Policy['source'] }) {
  const t = useText()
  return <span className={`chip ${of === 'app' ? 'chip-hold' : 'chip-seen'}`}>{t(`policies.source_${of === 'built-in' ? 'built_in' : of}`)}</span>
}

const written = (v: Json | undefined) => (v === undefined ? '–' : typeof v === 'string' ? v : JSON.stringify(v))
/** Value is what a setting is set to: in the words of the form, where it has some. */
export function Value({ of, at = '' }: { of: Json | undefined; at?: string }) {
  useText()
  const words = valueWords(at, of)
  return words === undefined ? <code className="value"><bdi>{written(of)}</bdi></code> : <span title={written(of)}>{words}</span>
}

/** Setting is what a setting is called; its place in the layer is told beside. */
export function Setting({ at }: { at: string }) {
  useText()
  return <span title={at}>{settingWords(at).map((w, i) => <span key={i}>{i > 0 && <span className="muted" aria-hidden="true"> › </span>}<bdi>{w}</bdi>{' '}</span>)}</span>
}

/** Differences shows what differs, setting by setting. */
export function Differences({ of, label, empty }: { of: readonly Change[]; label: string; empty?: string }) {
  const t = useText()
  if (!of.length) return <p className="muted">{empty ?? t('policies.no_difference')}</p>
  return (
    <Table label={label} rows={of} rowKey={(c) => c.pointer} columns={[
      { key: 'pointer', head: t('policies.setting'), cell: (c) => <Setting at={c.pointer} />, width: 'minmax(0, 1.2fr)' },
      { key: 'was', head: t('policies.was'), cell: (c) => <span className={c.is === undefined || c.was !== undefined ? 'diff-was' : ''}><Value of={c.was} at={c.pointer} /></span> },
      { key: 'is', head: t('policies.is'), cell: (c) => <span className="diff-is"><Value of={c.is} at={c.pointer} /></span> },
    ]} />
  )
}

/** Difference is a share against another, in points. */
export function points(live: number | undefined, draft: number | undefined): string {
  if (live === undefined || draft === undefined) return '–'
  const d = (draft - live) * 100
  return `${d > 0 ? '+' : d < 0 ? '−' : '±'}${Math.abs(d).toFixed(2)}`
}

export const Strong = (text: Parameters<typeof rich>[0], values: Parameters<typeof rich>[1]) => rich(text, { b: (x) => <strong>{x}</strong>, ...values })
