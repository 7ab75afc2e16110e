import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http, type Answer } from '../../lib/http'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import { bytes, categoryName, fullTime, plain } from '../../lib/words'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { CloseIcon } from '../../ui/icons'
import { Card, Loaded } from '../../ui/Page'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { Chain } from './Chain'
import { ExportDialog } from './Export'
import { HandOff } from './HandOff'
import { Marks } from './marks'
import { Read } from './Read'

type Log = Answer<'get', '/evidence/{id}/log'>
type Asked = 'hold' | 'free' | 'read' | 'export' | 'handoff' | null

/** Item is one piece of evidence: its record, its chain, and what can be done with it. */
export function Item({ id, me, onClose }: { id: string; me: Moderator; onClose: () => void }) {
  const t = useText()
  const q = useApi('/evidence/{id}/log', { path: { id } })
  return (
    <Card title={t('vault.item')} className="vault-item" actions={<Button className="icon-button" aria-label={t('common.close')} onPress={onClose}><CloseIcon /></Button>}>
      <Loaded of={q}>{(log) => <Shown log={log} me={me} />}</Loaded>
    </Card>
  )
}

function Shown({ log, me }: { log: Log; me: Moderator }) {
  const t = useText()
  const e = log.evidence
  const path = { id: e.evidence_id }
  const [asked, setAsked] = useState<Asked>(null)
  const at = (what: Asked) => ({ open: asked === what, onOpen: (on: boolean) => setAsked(on ? what : null) })
  const hold = useChange((reason: string) => http.post('/evidence/{id}/hold', { path, body: { reason } }), ['/evidence'])
  const free = useChange((reason: string) => http.delete('/evidence/{id}/hold', { path, body: { reason } }), ['/evidence'])
  const may = can(me.role, 'evidence.hold')
  const there = !e.removed_at
  return (
    <>
      <p className="row-of"><Marks of={e} /></p>
      <p className={log.chain_ok ? 'callout chain-ok' : 'callout warn'} role={log.chain_ok ? 'status' : 'alert'}>{t(log.chain_ok ? 'vault.chain_ok' : 'vault.chain_broken')}</p>
      {e.hold && <p className="callout">{t('vault.hold_by', { by: e.hold.by, at: fullTime(e.hold.since), reason: e.hold.reason })}</p>}
      {may && (
        <div className="row-of">
          {e.hold
            ? <Button className="button" onPress={() => setAsked('free')}>{t('vault.end_hold')}</Button>
            : there && <Button className="button" onPress={() => setAsked('hold')}>{t('vault.put_hold')}</Button>}
          {there && can(me.role, 'evidence.see') && <Button className="button" onPress={() => setAsked('read')}>{t('vault.read')}</Button>}
          {there && <Button className="button" onPress={() => setAsked('export')}>{t('vault.export')}</Button>}
          {there && <Button className="button" isDisabled={!log.chain_ok} onPress={() => setAsked('handoff')}>{t('vault.handoff')}</Button>}
        </div>
      )}
      {!can(me.role, 'evidence.see') && <p className="muted small">{t('vault.not_yours')}</p>}
      <dl className="facts">
        <div><dt>{t('vault.category')}</dt><dd>{categoryName(e.category)}{e.sub_label && ` · ${plain(e.sub_label)}`}</dd></div>
        <div><dt>{t('vault.kind')}</dt><dd>{plain(e.kind)} · {e.mime} · {bytes(e.bytes)}</dd></div>
        <div><dt>{t('vault.player')}</dt><dd>{e.player_id ? <PlayerLink app={e.app_id} id={e.player_id} /> : '–'}</dd></div>
        {e.case_id && <div><dt>{t('vault.case')}</dt><dd><CaseLink id={e.case_id} /></dd></div>}
        <div><dt>{t('vault.app')}</dt><dd><bdi>{e.app_id}</bdi></dd></div>
        {e.scene_id && <div><dt>{t('vault.scene')}</dt><dd><bdi>{e.scene_id}</bdi></dd></div>}
        <div><dt>{t('vault.taken')}</dt><dd><Time at={e.created_at} full /></dd></div>
        <div><dt>{t('vault.retention')}</dt><dd>{e.removed_at ? t('vault.gone', { at: fullTime(e.removed_at) }) : e.expires_at ? <Time at={e.expires_at} full /> : t('vault.never')}</dd></div>
        <div><dt>{t('vault.id')}</dt><dd><code>{e.evidence_id}</code></dd></div>
        <div><dt>{t('vault.sha256')}</dt><dd><code className="hash">{e.sha256}</code></dd></div>
      </dl>
      <Chain links={log.links} />
      <ActDialog {...at('hold')} title={t('vault.put_hold')} confirm={t('vault.put_hold')} run={async (reason) => { await hold.mutateAsync(reason); toast(t('vault.held_done')) }}><p className="muted">{t('vault.hold_text')}</p></ActDialog>
      <ActDialog {...at('free')} title={t('vault.end_hold')} confirm={t('vault.end_hold')} danger run={async (reason) => { await free.mutateAsync(reason); toast(t('vault.freed_done')) }}><p className="muted">{t('vault.end_hold_text')}</p></ActDialog>
      <Read {...at('read')} of={e} />
      <ExportDialog {...at('export')} app={e.app_id} id={e.evidence_id} locked={e.locked} {...(e.case_id ? { caseId: e.case_id } : {})} player={e.player_id} />
      <HandOff {...at('handoff')} of={e} />
    </>
  )
}
