import { useText, type TextKey } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { ago, categoryName, duration, number, plain, roleName } from '../../lib/words'
import { Card, Loaded, Page } from '../../ui/Page'
import { Table, type Column } from '../../ui/Table'
import { queueName } from '../caseparts'
import { placeOf } from '../route'
import type { PageProps } from '../screens'
import { CaseList } from './CaseList'
import type { Answer } from '../../lib/http'
import '../../styles/queues.css'

type Queues = Answer<'get', '/queues'>
type Queue = Queues['queues'][number]

/** QueuesPage is how the queues stand, what goes where, and the cases in them. */
export default function QueuesPage({ me, route }: PageProps) {
  const t = useText()
  const q = useApi('/queues', {}, { every: 15_000 })
  return (
    <Page title={t('queues.title')} className="queues">
      <Loaded of={q}>{(data) => (
        <>
          <Card title={t('queues.title')}><Stand of={data} mayDecide={can(me.role, 'cases.decide')} /></Card>
          <CaseList me={me} route={route} queues={[...new Set([...data.rules.map((r) => r.queue), 'general'])]} />
          <div className="cards">
            <Routing of={data} />
            <Terms of={data} />
          </div>
        </>
      )}</Loaded>
    </Page>
  )
}

function Stand({ of, mayDecide }: { of: Queues; mayDecide: boolean }) {
  const t = useText()
  const columns: Column<Queue>[] = [
    { key: 'queue', head: t('queues.queue'), cell: (r) => <strong>{queueName(r.queue)}</strong>, sort: (r) => r.queue, width: 'minmax(110px, 1fr)' },
    { key: 'open', head: t('queues.waiting'), cell: (r) => number(r.open), sort: (r) => r.open, num: true, width: '80px' },
    { key: 'claimed', head: t('queues.in_work'), cell: (r) => number(r.claimed), sort: (r) => r.claimed, num: true, width: '80px' },
    { key: 'held', head: t('queues.aside'), cell: (r) => number(r.held), sort: (r) => r.held, num: true, width: '90px' },
    { key: 'overdue', head: t('queues.overdue'), cell: (r) => (r.overdue ? <strong className="late">{number(r.overdue)}</strong> : number(0)), sort: (r) => r.overdue, num: true, width: '90px' },
    { key: 'oldest', head: t('queues.oldest'), cell: (r) => <time dateTime={r.oldest_at}>{ago(r.oldest_at)}</time>, sort: (r) => r.oldest_age_s, width: 'minmax(110px, 1fr)' },
    { key: 'owners', head: t('queues.owners'), cell: (r) => r.owners.map((o) => t('queues.owner', { name: o.name, n: o.cases })).join(', ') || '–', width: 'minmax(120px, 2fr)' },
    ...(mayDecide ? [{ key: 'go', head: t('queues.act'), cell: (r: Queue) => <a className="button small" href={placeOf(['review'], { queue: r.queue })}>{t('queues.work')}</a>, width: '160px' }] : []),
  ]
  return <Table label={t('queues.title')} columns={columns} rows={of.queues} rowKey={(r) => r.queue} empty={<p className="muted">{t('queues.nothing')}</p>} />
}

function Routing({ of }: { of: Queues }) {
  const t = useText()
  return (
    <Card title={t('queues.routing')}>
      <p className="muted small">{t('queues.routing_text')}</p>
      <ol className="routing">
        {of.rules.map((r) => (
          <li key={r.queue}>
            <strong>{queueName(r.queue)}</strong>
            <dl className="facts">
              {r.kinds.length > 0 && <div><dt>{t('queues.takes_kinds')}</dt><dd>{r.kinds.map(plain).join(', ')}</dd></div>}
              {r.categories.length > 0 && <div><dt>{t('queues.takes_categories')}</dt><dd>{r.categories.map(categoryName).join(', ')}</dd></div>}
              {r.kinds.length + r.categories.length === 0 && <div><dt>{t('queues.takes_categories')}</dt><dd>{t('queues.anything')}</dd></div>}
              <div><dt>{t('queues.for_roles')}</dt><dd>{r.roles.length ? r.roles.map(roleName).join(', ') : t('queues.everybody')}</dd></div>
            </dl>
          </li>
        ))}
        <li><strong>{queueName('general')}</strong> <span className="muted">{t('queues.rest')}</span></li>
      </ol>
    </Card>
  )
}

const terms = ['critical', 'high', 'medium', 'low', 'lowest', 'held_content'] as const

function Terms({ of }: { of: Queues }) {
  const t = useText()
  return (
    <Card title={t('queues.terms')}>
      <dl className="facts">{terms.map((k) => <div key={k}><dt>{t(`queues.term_${k}` as TextKey)}</dt><dd>{duration(of.due_s[k] * 1000)}</dd></div>)}</dl>
      <p className="muted small">{t('queues.lease', { time: duration(of.lease_s * 1000) })}</p>
    </Card>
  )
}
