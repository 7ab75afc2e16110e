import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import type { components } from '../../lib/api.gen'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Empty, Loaded } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { LedgerLink } from './parts'

export type Ban = components['schemas']['Bans']['bans'][number]

/** Bans lists those of the app, and lifts them. */
export function Bans({ me, app }: { me: Moderator; app: string }) {
  const t = useText()
  const [all, setAll] = useState(false)
  const q = usePages('/economy/bans', { query: { app_id: app, status: all ? 'all' : 'active', limit: 100 } }, (a) => a.bans)
  return (
    <Card title={t('economy.tab_bans')} actions={<label className="check small"><input type="checkbox" checked={all} onChange={(e) => setAll(e.target.checked)} /><span>{t('economy.past_too')}</span></label>}>
      <Loaded of={{ ...q, data: q.rows }} isEmpty={(r) => r.length === 0} empty={<Empty title={t('economy.no_bans')} />}>{(rows) => <BanTable me={me} app={app} rows={rows} withPlayer />}</Loaded>
      <Pager of={q} />
    </Card>
  )
}

/** BanTable shows bans; those that hold can be lifted. */
export function BanTable({ me, app, rows, withPlayer }: { me: Moderator; app: string; rows: readonly Ban[]; withPlayer?: boolean }) {
  const t = useText()
  const [lifting, setLifting] = useState<Ban | null>(null)
  const lift = useChange((v: { ban: Ban; reason: string }) => http.delete('/economy/ban', { query: { app_id: app }, body: { player_id: v.ban.player_id, ban_id: v.ban.ban_id, ...(v.reason ? { reason: v.reason } : {}) } as never }), ['/economy', '/cases', '/players'])
  return (
    <>
      <Table label={t('economy.tab_bans')} rows={rows} rowKey={(b) => b.ban_id} columns={[
        ...(withPlayer ? [{ key: 'player', head: t('economy.player'), sort: (b: Ban) => b.player_id, cell: (b: Ban) => <LedgerLink id={b.player_id} /> }] : []),
        { key: 'type', head: t('economy.ban_type'), sort: (b) => b.ban_type, cell: (b) => t(`economy.ban_${b.ban_type}`) },
        { key: 'state', head: t('economy.state'), cell: (b) => <span className={`chip chip-${b.status === 'active' ? 'block' : 'seen'}`}>{t(`economy.ban_is_${b.status}`)}</span> },
        { key: 'why', head: t('common.reason'), cell: (b) => <bdi>{b.lift_reason ? `${b.reason} · ${b.lift_reason}` : b.reason || '–'}</bdi> },
        { key: 'by', head: t('economy.by'), cell: (b) => <bdi>{b.by}</bdi> },
        { key: 'at', head: t('common.time'), sort: (b) => b.created_at, cell: (b) => <Time at={b.created_at} /> },
        { key: 'until', head: t('economy.until'), cell: (b) => (b.expires_at ? <Time at={b.expires_at} /> : t('economy.no_end')) },
        ...(can(me.role, 'players.punish') ? [{ key: 'do', head: t('economy.lift'), cell: (b: Ban) => (b.status === 'active' ? <Button className="link-button small" onPress={() => setLifting(b)}>{t('economy.lift')}<span className="sr-only">: {b.player_id}</span></Button> : '–') }] : []),
      ]} />
      <ActDialog open={lifting !== null} onOpen={(o) => { if (!o) setLifting(null) }} title={t('economy.lift_title', { player: lifting?.player_id ?? '' })} confirm={t('economy.lift')} reason="label"
        run={async (reason) => { await lift.mutateAsync({ ban: lifting as Ban, reason }); toast(t('economy.lifted')) }}>
        <p>{lifting && t(`economy.ban_${lifting.ban_type}`)}{lifting?.reason && `: ${lifting.reason}`}</p>
      </ActDialog>
    </>
  )
}
