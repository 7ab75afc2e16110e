import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText, type TextKey } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import type { components } from '../../lib/api.gen'
import { http } from '../../lib/http'
import { faultsAt, within, type Fault } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import { number } from '../../lib/words'
import { ActDialog } from '../../ui/ActDialog'
import { FaultsAt } from '../../ui/Faults'
import { Card, Empty, Loaded } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { placeOf } from '../route'
import { SecretOnce, type Once } from './SecretOnce'

type Hook = components['schemas']['Webhook']
type Wish = components['schemas']['WebhookRequest']
const events = ['ban.created', 'ban.lifted', 'ban.expired', 'economy.case', 'check.done', 'batch.done', 'stats.anomaly', 'report.ready', 'penalty.created', 'penalty.lifted', 'penalty.expired', 'policy.stopped'] as const
const wishOf = (h: Hook): Wish => ({ id: h.id, url: h.url, events: h.events as Wish['events'], enabled: h.enabled, rotate_secret: false })

/** Webhooks are whom the gateway tells, what it told and what waits. */
export function Webhooks({ app, open }: { app: string; open: string | undefined }) {
  const t = useText()
  const q = useApi('/webhooks', { query: { app_id: app } }, { enabled: app !== '', every: 10_000 })
  const [editing, setEditing] = useState<Wish | null>(null)
  const [removing, setRemoving] = useState<Hook | null>(null)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [once, setOnce] = useState<Once | null>(null)
  const hooks = q.data?.webhooks ?? []
  const put = useChange((list: Wish[]) => http.put('/webhooks', { query: { app_id: app }, body: { webhooks: list } }), ['/webhooks'])
  const save = async (list: Wish[], at: number) => {
    try {
      const a = await put.mutateAsync(list)
      setFaults([])
      const fresh = a.webhooks.find((h) => h.secret)
      if (fresh?.secret) setOnce({ title: t('settings.hook_secret'), what: fresh.url, secret: fresh.secret, text: t('settings.hook_secret_text') })
    } catch (err) { if (err instanceof ApiError) setFaults(within(err.errors, `/webhooks/${at}`)); throw err }
  }
  const at = editing ? (editing.id ? hooks.findIndex((h) => h.id === editing.id) : hooks.length) : 0
  if (!app) return <Empty title={t('policies.no_app')} text={t('policies.no_app_text')} />
  return (
    <>
      <Card title={t('settings.tab_webhooks')} actions={<Button className="button small" onPress={() => { setFaults([]); setEditing({ url: '', events: ['*'], enabled: true, rotate_secret: false }) }}>{t('settings.add_hook')}</Button>}>
        <p className="muted small">{t('settings.hooks_text')}</p>
        <Loaded of={q} isEmpty={(d) => d.webhooks.length === 0} empty={<Empty title={t('settings.no_hooks')} />}>
          {(d) => <Table label={t('settings.tab_webhooks')} rows={d.webhooks} rowKey={(h) => h.id} openKey={open} columns={[
            { key: 'url', head: 'URL', cell: (h) => <a href={placeOf(['settings', 'webhooks', h.id])}><bdi>{h.url}</bdi></a>, width: 'minmax(0, 2fr)' },
            { key: 'events', head: t('settings.events'), cell: (h) => (h.events.includes('*') ? t('settings.all_events') : h.events.join(', ')) },
            { key: 'state', head: t('settings.state'), cell: (h) => <><span className={`chip chip-${h.state === 'ok' ? 'pass' : h.state === 'failing' ? 'block' : 'seen'}`}>{t(`settings.hook_${h.state}`)}</span>{h.failing_since && <span className="muted small"> <Time at={h.failing_since} rel /></span>}{h.off_reason && <p className="fault">{h.off_reason}</p>}</> },
            { key: 'n', head: t('settings.waiting_dead'), num: true, cell: (h) => `${number(h.pending)} / ${number(h.dead)}` },
            { key: 'do', head: t('settings.do'), cell: (h) => <span className="row-of"><Button className="link-button small" onPress={() => { setFaults([]); setEditing(wishOf(h)) }}>{t('settings.change')}<span className="sr-only">: {h.url}</span></Button><Button className="link-button small" onPress={() => setRemoving(h)}>{t('settings.remove')}<span className="sr-only">: {h.url}</span></Button></span> },
          ]} />}
        </Loaded>
      </Card>
      {open && hooks.some((h) => h.id === open) && <Deliveries key={open} app={app} hook={hooks.find((h) => h.id === open) as Hook} />}
      <ActDialog open={editing !== null} onOpen={(o) => { if (!o) setEditing(null) }} title={t(editing?.id ? 'settings.change_hook' : 'settings.add_hook')} confirm={t('common.save')} reason="none" ready={Boolean(editing?.url && editing.events.length)}
        run={async () => { const wish = editing as Wish; await save(wish.id ? hooks.map((h) => (h.id === wish.id ? wish : wishOf(h))) : [...hooks.map(wishOf), wish], at) }}>
        {editing && <HookForm of={editing} faults={faults} onChange={setEditing} />}
      </ActDialog>
      <ActDialog open={removing !== null} onOpen={(o) => { if (!o) setRemoving(null) }} title={t('settings.remove_hook')} confirm={t('settings.remove')} danger reason="none" run={async () => { await save(hooks.filter((h) => h.id !== removing?.id).map(wishOf), 0); toast(t('settings.hook_removed')) }}>
        <p><bdi>{removing?.url}</bdi></p><p>{t('settings.remove_hook_text')}</p>
      </ActDialog>
      <SecretOnce of={once} onDone={() => setOnce(null)} />
    </>
  )
}

function HookForm({ of, faults, onChange }: { of: Wish; faults: readonly Fault[]; onChange: (w: Wish) => void }) {
  const t = useText()
  const all = of.events.includes('*')
  const toggle = (e: (typeof events)[number]) => onChange({ ...of, events: of.events.includes(e) ? of.events.filter((x) => x !== e) : [...of.events.filter((x) => x !== '*'), e] })
  return (
    <>
      <label className="input"><span>URL</span><input type="url" value={of.url} maxLength={2048} placeholder="https://" spellCheck={false} onChange={(e) => onChange({ ...of, url: e.target.value })} /><FaultsAt of={faultsAt(faults, '/url')} /></label>
      <fieldset className="form"><legend>{t('settings.events')}</legend>
        <label className="check"><input type="checkbox" checked={all} onChange={(e) => onChange({ ...of, events: e.target.checked ? ['*'] : [] })} /><span>{t('settings.all_events')}</span></label>
        {!all && <div className="checks">{events.map((e) => <label key={e} className="check small"><input type="checkbox" checked={of.events.includes(e)} onChange={() => toggle(e)} /><span>{t(`settings.event_${e.replace('.', '_')}` as TextKey)} <code>{e}</code></span></label>)}</div>}
        <FaultsAt of={faultsAt(faults, '/events')} />
      </fieldset>
      <label className="check"><input type="checkbox" checked={of.enabled !== false} onChange={(e) => onChange({ ...of, enabled: e.target.checked })} /><span>{t('settings.enabled')}</span></label>
      {of.id && <label className="check"><input type="checkbox" checked={of.rotate_secret ?? false} onChange={(e) => onChange({ ...of, rotate_secret: e.target.checked })} /><span>{t('settings.rotate')}</span></label>}
    </>
  )
}

function Deliveries({ app, hook }: { app: string; hook: Hook }) {
  const t = useText()
  const [state, setState] = useState('')
  const path = { id: hook.id }
  const q = usePages('/webhooks/{id}/deliveries', { path, query: { app_id: app, state: state || undefined, limit: 50 } as never }, (a) => a.deliveries)
  const again = useChange((delivery: string) => http.post('/webhooks/{id}/deliveries/{delivery}/resend', { path: { ...path, delivery }, query: { app_id: app } }), ['/webhooks'])
  const test = useChange(() => http.post('/webhooks/{id}/test', { path, query: { app_id: app } }), ['/webhooks'])
  return (
    <Card title={t('settings.deliveries_to', { url: hook.url })} actions={<><label className="input"><span className="sr-only">{t('settings.state')}</span><select value={state} onChange={(e) => setState(e.target.value)}><option value="">{t('common.any')}</option>{(['pending', 'delivered', 'dead'] as const).map((s) => <option key={s} value={s}>{t(`settings.delivery_${s}`)}</option>)}</select></label>
      <Button className="button small" onPress={() => void q.refetch()}>{t('settings.refresh')}</Button><Button className="button small" isDisabled={test.isPending || !hook.enabled} onPress={() => test.mutate(undefined, { onSuccess: () => toast(t('settings.test_sent')) })}>{t('settings.send_test')}</Button></>}>
      <Loaded of={{ ...q, data: q.rows }} isEmpty={(r) => r.length === 0} empty={<p className="muted">{t('settings.no_deliveries')}</p>}>
        {(rows) => <Table label={t('settings.deliveries')} rows={rows} rowKey={(d) => d.delivery_id} columns={[
          { key: 'at', head: t('common.time'), cell: (d) => <Time at={d.created_at} full />, sort: (d) => d.created_at, width: 'minmax(150px, 1fr)' },
          { key: 'type', head: t('settings.event'), cell: (d) => <code>{d.type}</code>, sort: (d) => d.type },
          { key: 'state', head: t('settings.state'), cell: (d) => <span className={`chip chip-${d.state === 'delivered' ? 'pass' : d.state === 'dead' ? 'block' : 'review'}`}>{t(`settings.delivery_${d.state}`)}</span> },
          { key: 'n', head: t('settings.attempts'), num: true, cell: (d) => number(d.attempts) },
          { key: 'last', head: t('settings.last_answer'), cell: (d) => <>{d.last_status ?? ''} {d.last_error && <span className="muted small"><bdi>{d.last_error}</bdi></span>} {d.next_at && <span className="muted small">{t('settings.next')} <Time at={d.next_at} rel /></span>}</>, width: 'minmax(0, 1.6fr)' },
          { key: 'do', head: t('settings.do'), cell: (d) => <Button className="link-button small" isDisabled={again.isPending} onPress={() => again.mutate(d.delivery_id, { onSuccess: () => toast(t('settings.sent_again')) })}>{t('settings.resend')}<span className="sr-only">: {d.delivery_id}</span></Button> },
        ]} />}
      </Loaded>
      <Pager of={q} />
    </Card>
  )
}
