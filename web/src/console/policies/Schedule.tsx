import { Button } from 'react-aria-components'
import { useLanguage, useText } from '../../i18n/text'
import { at, faultsAt, put, type Body, type Json } from '../../lib/layer'
import { modeName } from '../../lib/words'
import { FaultsAt } from '../../ui/Faults'
import { Card } from '../../ui/Page'
import type { Draft } from './useDraft'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const modes = ['real_time_block', 'deferred_review', 'pre_review', 'monitor_only']

/** Schedule are the times of day in which other settings hold; the first that is open counts. */
export function Schedule({ d }: { d: Draft }) {
  const t = useText()
  const language = useLanguage()
  const windows = (Array.isArray(d.body['schedule']) ? d.body['schedule'] : []) as Body[]
  const set = (next: Body[]) => d.set(put(d.body, '/schedule', next.length ? next : undefined))
  const change = (i: number, where: string, v: Json | undefined) => set(windows.map((w, k) => (k === i ? put(w, where, v) : w)))
  // 2024-01-01 was a Monday.
  const dayName = (i: number) => new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + i))
  return (
    <Card title={t('policies.schedule')} actions={<Button className="button small" onPress={() => set([...windows, { from: '22:00', to: '06:00', stricter: 1 }])}>{t('policies.add_window')}</Button>}>
      <p className="muted small">{t('policies.schedule_text')}</p>
      <ol className="windows">
        {windows.map((w, i) => {
          const on = (w['days'] as string[] | undefined) ?? []
          const own = `${t('policies.window')} ${i + 1}`
          return (
            <li key={i}><div className="window" role="group" aria-label={own}>
              <span className="days">{days.map((day, k) => (
                <label key={day} className="day"><input type="checkbox" checked={on.includes(day)} onChange={(e) => { const next = days.filter((x) => (x === day ? e.target.checked : on.includes(x))); change(i, '/days', next.length ? [...next] : undefined) }} /><span>{dayName(k)}</span></label>
              ))}</span>
              {on.length === 0 && <span className="muted small">{t('policies.every_day')}</span>}
              <div className="fields">
                <label className="input"><span>{t('policies.from')}</span><input type="time" value={String(w['from'] ?? '')} onChange={(e) => change(i, '/from', e.target.value)} /></label>
                <label className="input"><span>{t('policies.to')}</span><input type="time" value={String(w['to'] ?? '')} onChange={(e) => change(i, '/to', e.target.value)} /></label>
                <label className="input"><span>{t('policies.stricter')}</span><select value={String(w['stricter'] ?? '')} onChange={(e) => change(i, '/stricter', e.target.value === '' ? undefined : Number(e.target.value))}><option value="">–</option>{[-4, -3, -2, -1, 1, 2, 3, 4].map((n) => <option key={n} value={n}>{n > 0 ? `+${n}` : n}</option>)}</select></label>
                <label className="input"><span>{t('policies.mode')}</span><select value={String(at(w, '/settings/mode') ?? '')} onChange={(e) => change(i, '/settings/mode', e.target.value || undefined)}><option value="">–</option>{modes.map((m) => <option key={m} value={m}>{modeName(m)}</option>)}</select></label>
                <Button className="button small" aria-label={t('policies.remove_window', { n: i + 1 })} onPress={() => set(windows.filter((_, k) => k !== i))}>{t('policies.remove_word')}</Button>
              </div>
              <FaultsAt of={faultsAt(d.faults, `/schedule/${i}`)} />
            </div></li>
          )
        })}
      </ol>
      {windows.length === 0 && <p className="muted">{t('policies.no_windows')}</p>}
    </Card>
  )
}
