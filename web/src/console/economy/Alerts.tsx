import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import type { Case } from '../../lib/wire'
import { plain } from '../../lib/words'
import { Factors } from '../../ui/Factors'
import { Card, Empty, Loaded } from '../../ui/Page'
import { CaseLink } from '../../ui/PlayerLink'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { goTo, placeOf } from '../route'
import type { Level } from '../../lib/economy'
import { RiskChip } from '../../ui/RiskChip'
import { LedgerLink } from './parts'

/** Alerts are the open cases that the economy opened by itself, the riskiest first. */
export function Alerts({ app }: { app: string }) {
  const t = useText()
  const ask = (kind: string) => ({ query: { app_id: app, kind, state: 'pending', limit: 200 } })
  const risk = useApi('/cases', ask('risk') as never, { every: 5000 })
  const evasion = useApi('/cases', ask('ban_evasion') as never, { every: 5000 })
  const cases = risk.data && evasion.data ? ([...risk.data.cases, ...evasion.data.cases] as Case[]) : undefined
  const q = { data: cases, error: risk.error ?? evasion.error, isPending: risk.isPending || evasion.isPending, fetchStatus: risk.fetchStatus === 'idle' ? evasion.fetchStatus : risk.fetchStatus, refetch: () => { void risk.refetch(); void evasion.refetch() } }
  const score = (c: Case) => c.economy?.now?.risk_score ?? c.economy?.risk_score ?? 0
  return (
    <Card title={t('economy.tab_alerts')}>
      <p className="muted small">{t('economy.alerts_text')}</p>
      <Loaded of={q} isEmpty={(c) => c.length === 0} empty={<Empty title={t('economy.no_alerts')} text={t('economy.no_alerts_text')} />}>
        {(rows) => <Table label={t('economy.tab_alerts')} rows={rows} rowKey={(c) => c.case_id} sorted={{ by: 'risk', down: true }} onOpen={(c) => goTo(placeOf(['economy', 'player', c.player_id]))} columns={[
          { key: 'risk', head: t('economy.risk'), sort: score, cell: (c) => (c.economy && c.economy.link?.by !== 'voice' ? <RiskChip score={score(c)} level={(c.economy.now?.risk_level ?? c.economy.risk_level ?? 'normal') as Level} /> : '–'), width: '112px' },
          { key: 'player', head: t('economy.player'), sort: (c) => c.player_id, cell: (c) => <LedgerLink id={c.player_id} />, width: 'minmax(90px, 1fr)' },
          { key: 'kind', head: t('economy.what'), sort: (c) => c.kind ?? '', cell: (c) => t(c.kind === 'ban_evasion' ? 'economy.kind_evasion' : 'economy.kind_risk'), width: '104px' },
          { key: 'why', head: t('economy.why'), cell: (c) => (c.economy?.link ? <>{t(`economy.link_${c.economy.link.by}`)} <LedgerLink id={c.economy.link.banned_player_id} /></> : <Factors of={c.economy?.risk_factors ?? []} app={app} most={3} />), width: 'minmax(220px, 3fr)' },
          { key: 'state', head: t('economy.state'), cell: (c) => <>{plain(c.state)}{c.assignee && <span className="muted"> · <bdi>{c.assignee}</bdi></span>}</>, width: 'minmax(70px, .6fr)' },
          { key: 'at', head: t('common.time'), sort: (c) => c.created_at, cell: (c) => <Time at={c.created_at} rel />, width: '112px' },
          { key: 'case', head: t('economy.case'), cell: (c) => <CaseLink id={c.case_id}>{t('economy.open_case')}</CaseLink>, width: '104px' },
        ]} />}
      </Loaded>
    </Card>
  )
}
