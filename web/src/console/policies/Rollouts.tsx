import { useText } from '../../i18n/text'
import { kindOf, shownName } from '../../lib/layer'
import { useApi } from '../../lib/query'
import { Card, Empty, Loaded } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { goTo, placeOf } from '../route'
import type { Rollout } from './parts'

/** StateChip says where a rollout is, by word and by colour. */
export function StateChip({ of }: { of: Pick<Rollout, 'state' | 'share'> }) {
  const t = useText()
  const tone = { live: 'pass', stopped: 'block', returned: 'block', paused: 'review', proposed: 'review' }[of.state as string] ?? 'hold'
  return <span className={`chip chip-${tone}`}>{of.state === 'partial' ? t('policies.share', { n: of.share }) : t(`policies.state_${of.state}`)}</span>
}

/** Rollouts lists those of the app, newest first. */
export function Rollouts({ app }: { app: string }) {
  const t = useText()
  const q = usePages('/policies/rollouts', { query: { app_id: app, limit: 50 } }, (a) => a.rollouts)
  const tests = useApi('/policies/backtests', { query: { app_id: app, limit: 10 } })
  return (
    <>
      <Card title={t('policies.tab_rollouts')}>
        <Loaded of={{ ...q, data: q.rows }} isEmpty={(r) => r.length === 0} empty={<Empty title={t('policies.no_rollouts')} text={t('policies.no_rollouts_text')} />}>
          {(rows) => <Table label={t('policies.tab_rollouts')} rows={rows} rowKey={(r) => r.rollout_id} onOpen={(r) => goTo(placeOf(['policies', 'rollouts', r.layer, r.name, r.rollout_id]))} columns={[
            { key: 'layer', head: t('policies.layer'), cell: (r) => <a href={placeOf(['policies', 'rollouts', r.layer, r.name, r.rollout_id])}>{r.layer === 'list' ? t('policies.word_list') : t(`policies.kind_${kindOf(r.layer, r.name)}`)}: <bdi>{shownName(r.name)}</bdi></a> },
            { key: 'state', head: t('policies.state'), cell: (r) => <StateChip of={r} /> },
            { key: 'by', head: t('policies.by'), cell: (r) => <bdi>{r.by}</bdi>, sort: (r) => r.by },
            { key: 'comment', head: t('policies.comment'), cell: (r) => <bdi>{r.why || r.comment || '–'}</bdi> },
            { key: 'at', head: t('policies.changed_at'), cell: (r) => <Time at={r.changed_at} rel />, sort: (r) => r.changed_at },
          ]} />}
        </Loaded>
        <Pager of={q} />
      </Card>
      <Card title={t('policies.backtests')}>
        <Loaded of={tests} isEmpty={(d) => d.backtests.length === 0} empty={<p className="muted">{t('policies.no_backtests')}</p>}>
          {({ backtests }) => <Table label={t('policies.backtests')} rows={backtests} rowKey={(b) => b.backtest_id} columns={[
            { key: 'at', head: t('common.time'), cell: (b) => <Time at={b.created_at} />, sort: (b) => b.created_at },
            { key: 'what', head: t('policies.layer'), cell: (b) => (b.layers ?? []).map((l) => `${l.layer}/${l.name}`).join(', ') },
            { key: 'state', head: t('policies.state'), cell: (b) => <>{t(`policies.backtest_${b.status}`)} {b.why}</> },
            { key: 'n', head: t('policies.decisions'), num: true, cell: (b) => b.decisions, sort: (b) => b.decisions },
          ]} />}
        </Loaded>
      </Card>
    </>
  )
}
