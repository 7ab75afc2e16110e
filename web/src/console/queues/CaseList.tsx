import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText, type TextKey } from '../../i18n/text'
import type { Answer } from '../../lib/http'
import { can } from '../../lib/roles'
import { categoryName, plain } from '../../lib/words'
import type { Moderator } from '../../lib/wire'
import { Card, Loaded } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Table, type Column } from '../../ui/Table'
import { Due, queueName, Severity, StateChip } from '../caseparts'
import { replaceRoute } from '../route'
import type { PageProps } from '../screens'
import { Bulk } from './Bulk'
import { bulkActs, mayDo, type BulkAct } from './bulkacts'

type Case = Answer<'get', '/cases'>['cases'][number]
const states = ['pending', 'open', 'claimed', 'held', 'escalated', 'closed'] as const
const kinds = ['content', 'report', 'appeal', 'dispute', 'risk', 'ban_evasion'] as const

/** CaseList is the cases of a filter that stands in the address, and what can be done with several at once. */
export function CaseList({ me, route, queues }: { me: Moderator; route: PageProps['route']; queues: readonly string[] }) {
  const t = useText()
  const params = new URLSearchParams(route.query)
  const get = (name: string) => params.get(name) ?? ''
  const put = (name: string, value: string) => {
    const next = new URLSearchParams(route.query)
    if (value) next.set(name, value)
    else next.delete(name)
    replaceRoute('/queues', next.toString())
  }
  const q = usePages('/cases', { query: { state: get('state') || 'pending', queue: get('queue'), kind: get('kind'), assignee: get('owner'), held: get('waits') === 'true' ? 'true' : undefined, limit: 50 } }, (a) => a.cases)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [act, setAct] = useState<BulkAct | null>(null)
  const rows = q.rows ?? []
  const here = rows.filter((r) => chosen.has(r.case_id))
  const may = can(me.role, 'cases.decide')
  const flip = (id: string, on: boolean) => { const next = new Set(chosen); if (on) next.add(id); else next.delete(id); setChosen(next) }
  const columns: Column<Case>[] = [
    ...(may ? [{ key: 'choose', head: t('queues.pick'), width: '48px', cell: (r: Case) => <input type="checkbox" className="choose" aria-label={t('queues.choose')} checked={chosen.has(r.case_id)} onChange={(e) => flip(r.case_id, e.target.checked)} /> }] : []),
    { key: 'severity', head: t('queues.severity'), cell: (r) => <Severity n={r.severity ?? 0} />, sort: (r) => -(r.severity ?? 0), width: '130px' },
    { key: 'category', head: t('queues.category'), cell: (r) => <CaseLink id={r.case_id}>{r.category ? categoryName(r.category) : plain(r.kind ?? 'content')}</CaseLink>, sort: (r) => r.category ?? '', width: 'minmax(110px, 1fr)' },
    { key: 'kind', head: t('queues.kind'), cell: (r) => plain(r.kind ?? 'content'), sort: (r) => r.kind ?? '', width: 'minmax(90px, .8fr)' },
    { key: 'queue', head: t('queues.queue'), cell: (r) => queueName(r.queue ?? 'general'), sort: (r) => r.queue ?? '', width: 'minmax(80px, .8fr)' },
    { key: 'player', head: t('queues.player'), cell: (r) => (r.player_id ? <PlayerLink app={r.app_id} id={r.player_id} /> : '–'), sort: (r) => r.player_id, width: 'minmax(100px, 1fr)' },
    { key: 'due', head: t('queues.due'), cell: (r) => <Due at={r.due_at} />, sort: (r) => r.due_at ?? '', width: 'minmax(130px, 1fr)' },
    { key: 'state', head: t('queues.state'), cell: (r) => <StateChip of={r} />, sort: (r) => r.state, width: '120px' },
    { key: 'owner', head: t('queues.owner_head'), cell: (r) => <bdi>{r.assignee || (r.state === 'closed' && r.by) || '–'}</bdi>, sort: (r) => r.assignee ?? '', width: 'minmax(70px, .7fr)' },
  ]
  return (
    <Card title={t('queues.cases')}>
      <div className="fields">
        <Choice label={t('queues.state')} value={get('state') || 'pending'} onChange={(v) => put('state', v)} options={states.map((s) => [s, t(`queues.state_${s}` as TextKey)])} />
        <Choice label={t('queues.queue')} value={get('queue')} onChange={(v) => put('queue', v)} options={[['', t('queues.kind_all')], ...queues.map((n): [string, string] => [n, queueName(n)])]} />
        <Choice label={t('queues.kind')} value={get('kind')} onChange={(v) => put('kind', v)} options={[['', t('queues.kind_all')], ...kinds.map((k): [string, string] => [k, t(`queues.kind_${k}` as TextKey)])]} />
        <Choice label={t('queues.owner_head')} value={get('owner')} onChange={(v) => put('owner', v)} options={[['', t('queues.owner_all')], ['me', t('queues.owner_me')]]} />
        <label className="check"><input type="checkbox" checked={get('waits') === 'true'} onChange={(e) => put('waits', e.target.checked ? 'true' : '')} />{t('queues.held_only')}</label>
      </div>
      {may && rows.length > 0 && (
        <div className="row-of">
          <label className="check"><input type="checkbox" checked={here.length === rows.length} onChange={(e) => setChosen(new Set(e.target.checked ? rows.map((r) => r.case_id) : []))} />{t('queues.choose_all')}</label>
          {here.length > 0 && (
            <>
              <span role="status">{t('queues.chosen', { n: here.length })}</span>
              {bulkActs.map((a) => ({ a, n: here.filter((c) => mayDo(a, c, me)).length })).filter(({ n }) => n > 0).map(({ a, n }) => (
                <Button key={a} className="button small" onPress={() => setAct(a)}>{t(`queues.bulk_${a}`)}{n < here.length && ` (${t('queues.of', { n, all: here.length })})`}</Button>
              ))}
              {here.every((c) => bulkActs.every((a) => !mayDo(a, c, me))) && <span className="muted">{t('queues.bulk_none')}</span>}
            </>
          )}
        </div>
      )}
      <Loaded of={{ ...q, data: q.rows }}>{(list) => <Table label={t('queues.cases')} columns={columns} rows={list} rowKey={(r) => r.case_id} empty={<p className="muted">{t('queues.none')}</p>} />}</Loaded>
      <Pager of={q} />
      <Bulk act={act} cases={act ? here.filter((c) => mayDo(act, c, me)) : []} me={me} onClose={() => setAct(null)} onDone={(done) => setChosen(new Set([...chosen].filter((id) => !done.includes(id))))} />
    </Card>
  )
}

interface ChoiceShape { label: string; value: string; onChange: (v: string) => void; options: readonly (readonly [string, string])[] }

/** Choice is one filter. */
export function Choice({ label, value, onChange, options }: ChoiceShape) {
  return <label className="input"><span>{label}</span><select value={value} onChange={(e) => onChange(e.target.value)}>{options.map(([v, w]) => <option key={v} value={v}>{w}</option>)}</select></label>
}
