import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText, type TextKey } from '../../i18n/text'
import { useAppId } from '../../lib/app'
import { can } from '../../lib/roles'
import { allCategories } from '../../lib/wire'
import { bytes, categoryName, plain } from '../../lib/words'
import { Card, Empty, Loaded, Page } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { PlayerLink } from '../../ui/PlayerLink'
import { Table, type Column } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { goTo, placeOf, replaceRoute } from '../route'
import type { PageProps } from '../screens'
import { ExportDialog } from './Export'
import { Item } from './Item'
import { Marks, type Evidence } from './marks'
import '../../styles/vault.css'

const states = ['', 'kept', 'held', 'locked', 'removed'] as const
const names = ['player', 'case', 'request', 'category', 'state'] as const

/** VaultPage is what was kept of flagged content: found, and one item with its chain. */
export default function VaultPage({ me, route }: PageProps) {
  const t = useText()
  const { app } = useAppId()
  const params = new URLSearchParams(route.query)
  const of = Object.fromEntries(names.map((n) => [n, params.get(n) ?? ''])) as Record<(typeof names)[number], string>
  const [id] = route.rest
  const q = usePages('/evidence', { query: { app_id: app, player_id: of.player, case_id: of.case, request_id: of.request, category: of.category, state: (of.state || undefined) as 'held', limit: 50 } }, (a) => a.evidence)
  const [exporting, setExporting] = useState(false)
  const columns: Column<Evidence>[] = [
    { key: 'at', head: t('vault.taken'), cell: (r) => <Time at={r.created_at} />, sort: (r) => r.created_at, width: 'minmax(100px, 1fr)' },
    { key: 'kind', head: t('vault.kind'), cell: (r) => plain(r.kind), sort: (r) => r.kind, width: 'minmax(60px, .6fr)' },
    { key: 'category', head: t('vault.category'), cell: (r) => categoryName(r.category), sort: (r) => r.category, width: 'minmax(90px, 1fr)' },
    { key: 'player', head: t('vault.player'), cell: (r) => (r.player_id ? <PlayerLink app={r.app_id} id={r.player_id} /> : '–'), sort: (r) => r.player_id, width: 'minmax(90px, 1fr)' },
    { key: 'state', head: t('vault.state'), cell: (r) => <Marks of={r} />, width: 'minmax(90px, 1.2fr)' },
    { key: 'size', head: t('vault.size'), cell: (r) => bytes(r.bytes), sort: (r) => r.bytes, num: true, width: '80px' },
    { key: 'goes', head: t('vault.retention'), cell: (r) => <Goes of={r} />, sort: (r) => r.expires_at ?? '', width: 'minmax(90px, 1fr)' },
  ]
  // Beside an open item there is room for less.
  const few = id ? columns.filter((c) => !['kind', 'size', 'goes'].includes(c.key)) : columns
  return (
    <Page title={t('vault.title')} className="vault" lead={t('vault.lead')} actions={can(me.role, 'evidence.hold') && (of.case || of.player) && <Button className="button" onPress={() => setExporting(true)}>{t('vault.export')}</Button>}>
      <Search key={route.query} of={of} onSearch={(next) => replaceRoute(route.path, next)} />
      <div className={id ? 'split' : undefined}>
        <Card title={t('vault.title')}>
          <Loaded of={{ ...q, data: q.rows }} isEmpty={(rows) => rows.length === 0} empty={<Empty title={t('vault.none')} text={t('vault.none_text')} />}>
            {(rows) => <Table label={t('vault.title')} columns={few} rows={rows} rowKey={(r) => r.evidence_id} openKey={id} onOpen={(r) => goTo(placeOf(['vault', r.evidence_id], Object.fromEntries(params)))} />}
          </Loaded>
          <Pager of={q} />
        </Card>
        {id && <Item key={id} id={id} me={me} onClose={() => goTo(placeOf(['vault'], Object.fromEntries(params)))} />}
      </div>
      <ExportDialog open={exporting} onOpen={setExporting} app={app} caseId={of.case} player={of.player} />
    </Page>
  )
}

function Goes({ of: e }: { of: Evidence }) {
  const t = useText()
  if (e.removed_at) return <span className="muted"><Time at={e.removed_at} /></span>
  return e.expires_at ? <Time at={e.expires_at} rel /> : <>{t('vault.never')}</>
}

function Search({ of, onSearch }: { of: Record<(typeof names)[number], string>; onSearch: (query: string) => void }) {
  const t = useText()
  const [v, setV] = useState(of)
  const go = (next: typeof v) => { setV(next); onSearch(new URLSearchParams(Object.entries(next).filter(([, x]) => x)).toString()) }
  const field = (name: 'player' | 'case' | 'request') => (
    <label className="input"><span>{t(`vault.${name}` as TextKey)}</span><input value={v[name]} spellCheck={false} autoComplete="off" onChange={(e) => setV({ ...v, [name]: e.target.value })} /></label>
  )
  return (
    <form className="fields" role="search" onSubmit={(e) => { e.preventDefault(); go(v) }}>
      {field('player')}{field('case')}{field('request')}
      <label className="input"><span>{t('vault.category')}</span><select value={v.category} onChange={(e) => go({ ...v, category: e.target.value })}><option value="">{t('vault.state_all')}</option>{allCategories.map((c) => <option key={c} value={c}>{categoryName(c)}</option>)}</select></label>
      <label className="input"><span>{t('vault.state')}</span>
        <select value={v.state} onChange={(e) => go({ ...v, state: e.target.value })}>{states.map((s) => <option key={s} value={s}>{t(`vault.state_${s || 'all'}` as TextKey)}</option>)}</select></label>
      <Button type="submit" className="button primary">{t('vault.search')}</Button>
    </form>
  )
}
