import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { bytes, categoryName, plain } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Failed, Loading } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'

/** EvidenceCard is what is kept of a player, and holds it against retention and erasure. The content is in the vault. */
export function EvidenceCard({ app, id, me }: { app: string; id: string; me: Moderator }) {
  const t = useText()
  const kept = usePages('/evidence', { query: { app_id: app, player_id: id, limit: 20 } }, (a) => a.evidence)
  const [of, setOf] = useState<{ id: string; held: boolean } | null>(null)
  const change = useChange((v: { id: string; hold: boolean; reason: string }) => (v.hold
    ? http.post('/evidence/{id}/hold', { path: { id: v.id }, body: { reason: v.reason } })
    : http.delete('/evidence/{id}/hold', { path: { id: v.id }, body: { reason: v.reason } })), ['/evidence'])
  return (
    <Card title={t('player.evidence')}>
      {!kept.rows ? (kept.error ? <Failed error={kept.error} onRetry={() => void kept.refetch()} /> : <Loading />) : kept.rows.length === 0 ? <p className="muted">{t('player.evidence_none')}</p> : (
        <ul className="row-list">{kept.rows.map((e) => (
          <li key={e.evidence_id}>
            <span>{plain(e.kind)} · {categoryName(e.category)} · {bytes(e.bytes)} · <Time at={e.created_at} /></span>
            <span className="muted small">{e.removed_at ? t('player.removed') : e.hold ? t('player.held_by', { by: e.hold.by, reason: e.hold.reason }) : e.expires_at ? <>{t('player.goes')} <Time at={e.expires_at} /></> : t('player.kept')}</span>
            {can(me.role, 'evidence.hold') && !e.removed_at && <Button className="button small" onPress={() => setOf({ id: e.evidence_id, held: Boolean(e.hold) })}>{t(e.hold ? 'player.release' : 'player.hold')}</Button>}
          </li>
        ))}</ul>
      )}
      <Pager of={kept} />
      <ActDialog open={of !== null} onOpen={(on) => { if (!on) setOf(null) }} title={t(of?.held ? 'player.release_title' : 'player.hold_title')} confirm={t(of?.held ? 'player.release' : 'player.hold')}
        run={async (reason) => {
          const v = of as { id: string; held: boolean }
          await change.mutateAsync({ id: v.id, hold: !v.held, reason })
          toast(t(v.held ? 'player.released' : 'player.held'), v.held ? undefined : () => change.mutateAsync({ id: v.id, hold: false, reason: t('player.undone_reason') }))
        }}>
        <p className="muted small">{t(of?.held ? 'player.release_text' : 'player.hold_text')}</p>
      </ActDialog>
    </Card>
  )
}
