import { useState } from 'react'
import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { ago, millis, number, plain } from '../../lib/words'
import type { Status } from '../../lib/wire'
import { Card, Loaded, Page } from '../../ui/Page'
import { WithApp } from '../../ui/OfApp'
import { CheckIcon, StopIcon, WarnIcon, EyeOffIcon } from '../../ui/icons'
import { Table } from '../../ui/Table'
import { partName, stateWord } from '../StatusStrip'
import type { PageProps } from '../screens'
import { Models } from './Models'
import { value, type Row } from '../stats/period'
import { queueName } from '../caseparts'
import '../../styles/stats.css'

type Component = Status['components'][number]
const shapes = { ok: { Icon: CheckIcon, chip: 'pass' }, degraded: { Icon: WarnIcon, chip: 'review' }, down: { Icon: StopIcon, chip: 'block' }, absent: { Icon: EyeOffIcon, chip: 'seen' } } as const

/** HealthPage is what runs and how well, what each engine can and cannot do, and which models there are. */
export default function HealthPage({ me }: PageProps) {
  const t = useText()
  const status = useApi('/status', {}, { every: 5000 })
  return (
    <Page title={t('health.title')}>
      <Loaded of={status}>{(s) => (
        <>
          <p className={s.degraded || !s.ready ? 'callout warn' : 'callout'} role="status">{t(summary(s), { version: s.version })}</p>
          <div className="cards health-cards">
            <Parts title={t('health.engines')} of={s.components.filter((c) => c.name.startsWith('engine:'))} />
            <Parts title={t('health.parts')} of={s.components.filter((c) => !c.name.startsWith('engine:'))} />
            <Waiting />
          </div>
          {can(me.role, 'stats.see') && <Card title={t('health.lag')}><WithApp>{(app) => <Lag app={app} />}</WithApp></Card>}
        </>
      )}</Loaded>
      <Models />
    </Page>
  )
}

/** summary says how it stands with all parts together, as the strip at the foot of every screen does. */
function summary(s: Status) {
  if (s.degraded) return 'health.is_degraded'
  if (!s.ready) return 'health.not_ready'
  return s.components.some((c) => c.state === 'degraded' || c.state === 'down') ? 'health.is_partly' : 'health.is_ready'
}

const hour = 3_600_000 // ms

/** Lag is how long verdicts took of late: what a queue in front of an engine comes to for players. */
function Lag({ app }: { app: string }) {
  const t = useText()
  const [from] = useState(() => new Date((Math.floor(Date.now() / hour) - 1) * hour).toISOString()) // counts are by the hour
  const q = useApi('/stats/latency', { query: { app_id: app, from } }, { every: 15_000 })
  const ms = (r: Row, k: string) => { const v = value(r, k); return v === null ? '–' : millis(v) }
  return (
    <Loaded of={q} isEmpty={(d) => !d.rows?.length} empty={<p className="muted">{t('health.lag_none')}</p>}>{(d) => (
      <Table label={t('health.lag')} rows={d.rows ?? []} rowKey={(r) => `${r['kind']} ${r['way']}`} columns={[
        { key: 'kind', head: t('stats.kind'), cell: (r) => plain(String(r['kind'])), sort: (r) => String(r['kind']) }, { key: 'way', head: t('stats.way'), cell: (r) => plain(String(r['way'] || '–')) },
        { key: 'n', head: t('stats.verdicts'), num: true, cell: (r) => number(value(r, 'verdicts') ?? 0), sort: (r) => value(r, 'verdicts') ?? 0 },
        ...['p50_ms', 'p99_ms'].map((k) => ({ key: k, head: k.slice(0, 3), num: true, cell: (r: Row) => ms(r, k), sort: (r: Row) => value(r, k) ?? -1 })),
      ]} />
    )}</Loaded>
  )
}

function Parts({ title, of }: { title: string; of: readonly Component[] }) {
  const t = useText()
  return (
    <Card title={title}>
      {of.length === 0 ? <p className="muted">{t('common.nothing')}</p> : <ul className="health-parts">{of.map((c) => {
        const { Icon, chip } = shapes[c.state]
        return <li key={c.name}><span className={`chip chip-${chip}`}><Icon size={13} />{stateWord(c.state)}</span> <strong>{partName(c)}</strong>{c.load && <span className="muted small"> {t('health.load', { busy: c.load.busy, slots: c.load.slots, waiting: c.load.waiting, queue: c.load.queue })}</span>}{c.detail && <p className="muted small">{c.detail}</p>}</li>
      })}</ul>}
    </Card>
  )
}

/** What waits for people: the queues of the app. */
function Waiting() {
  const t = useText()
  return <Card title={t('health.queues')} actions={<a className="small" href="#/queues">{t('health.to_queues')}</a>}><WithApp>{(app) => <Queues app={app} />}</WithApp></Card>
}

function Queues({ app }: { app: string }) {
  const t = useText()
  const q = useApi('/queues', { query: { app_id: app } }, { every: 15_000 })
  return (
    <Loaded of={q} isEmpty={(d) => d.queues.length === 0} empty={<p className="muted">{t('health.no_queues')}</p>}>{(d) => (
      <ul className="health-parts">{d.queues.map((x) => <li key={x.queue}><strong>{queueName(x.queue)}</strong> {t('health.waiting', { n: x.count })}{x.oldest_at && <p className="muted small">{t('health.oldest', { ago: ago(x.oldest_at) })}</p>} {x.overdue > 0 && <span className="chip chip-review"><WarnIcon size={13} />{t('health.overdue', { n: x.overdue })}</span>}</li>)}</ul>
    )}</Loaded>
  )
}
