import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useApi, useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Loaded } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'

const kinds = ['operations', 'transparency'] as const
const periods = ['day', 'week', 'month'] as const
interface Schedule { kind: (typeof kinds)[number]; period: (typeof periods)[number]; time_zone?: string | undefined; next_at?: string | undefined; by?: string | undefined }
const plainOf = (s: Schedule) => ({ kind: s.kind, period: s.period, time_zone: s.time_zone ?? 'UTC' })

/** Schedules is when reports are made by themselves; the whole list is replaced at each change. */
export function Schedules({ app, may }: { app: string; may: boolean }) {
  const t = useText()
  const [adding, setAdding] = useState(false)
  const q = useApi('/reports/schedules', { query: { app_id: app } })
  const put = useChange((schedules: Schedule[]) => http.put('/reports/schedules', { query: { app_id: app }, body: { schedules: schedules.map(plainOf) } }), ['/reports'])
  const all = (q.data?.schedules ?? []) as Schedule[]
  return (
    <Card title={t('reports.schedules')} actions={may && <Button className="button small" onPress={() => setAdding(true)}>{t('reports.add')}</Button>}>
      <Loaded of={q}>{() => all.length === 0 ? <p className="muted">{t('reports.no_schedules')}</p> : (
        <ul className="row-list">{all.map((s) => (
          <li key={`${s.kind} ${s.period} ${s.time_zone}`}>
            <span><strong>{t(`reports.kind_${s.kind}`)}</strong> · {t(`reports.every_${s.period}`)}</span>
            <span className="muted small">{s.time_zone}{s.next_at && <> · {t('reports.next')} <Time at={s.next_at} /></>}</span>
            {may && <Button className="button small" isDisabled={put.isPending} onPress={() => { put.mutate(all.filter((x) => x !== s), { onSuccess: () => toast(t('reports.removed'), () => put.mutateAsync(all)) }) }}>{t('reports.remove')}<span className="sr-only"> {t(`reports.kind_${s.kind}`)}</span></Button>}
          </li>
        ))}</ul>
      )}</Loaded>
      <AddDialog open={adding} onOpen={setAdding} add={async (s) => { await put.mutateAsync([...all, s]); toast(t('reports.added'), () => put.mutateAsync(all)) }} />
    </Card>
  )
}

function AddDialog({ open, onOpen, add }: { open: boolean; onOpen: (o: boolean) => void; add: (s: Schedule) => Promise<void> }) {
  const t = useText()
  const [kind, setKind] = useState<Schedule['kind']>('operations')
  const [period, setPeriod] = useState<Schedule['period']>('week')
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC')
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('reports.add_title')} confirm={t('reports.add')} reason="none" run={() => add({ kind, period, time_zone: zone })}>
      <label className="input"><span>{t('reports.kind')}</span><select value={kind} onChange={(e) => setKind(e.target.value as typeof kind)}>{kinds.map((k) => <option key={k} value={k}>{t(`reports.kind_${k}`)}</option>)}</select></label>
      <label className="input"><span>{t('reports.period')}</span><select value={period} onChange={(e) => setPeriod(e.target.value as typeof period)}>{periods.map((p) => <option key={p} value={p}>{t(`reports.every_${p}`)}</option>)}</select></label>
      <label className="input"><span>{t('reports.zone')}</span><input value={zone} spellCheck={false} onChange={(e) => setZone(e.target.value)} /></label>
    </ActDialog>
  )
}
