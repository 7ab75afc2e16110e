import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { isPast } from '../../lib/period'
import { useApi, useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Empty, Loaded } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { SecretOnce, type Once } from './SecretOnce'

/** Apps are who may call; each has up to two keys, whose secrets are shown once. */
export function Apps() {
  const t = useText()
  const q = useApi('/apps')
  const [adding, setAdding] = useState(false)
  const [name, setName] = useState('')
  const [rotating, setRotating] = useState('')
  const [hours, setHours] = useState(24)
  const [ending, setEnding] = useState<{ app: string; key: string } | null>(null)
  const [once, setOnce] = useState<Once | null>(null)
  const shown = (s: { app_id: string; key_id: string; secret: string }) => setOnce({ title: t('settings.key_of', { app: s.app_id }), what: t('settings.secret_of', { key: s.key_id }), secret: s.secret, text: t('settings.key_text', { key: s.key_id }) })
  const add = useChange(() => http.post('/apps', { body: { app_id: name } }), ['/apps'])
  const rotate = useChange((app: string) => http.post('/apps/{id}/secrets', { path: { id: app }, body: { overlap_hours: hours } as never }), ['/apps'])
  const end = useChange((v: { app: string; key: string }) => http.delete('/apps/{id}/secrets/{key_id}', { path: { id: v.app, key_id: v.key } }), ['/apps'])
  return (
    <Card title={t('settings.tab_apps')} actions={<Button className="button small" onPress={() => { setName(''); setAdding(true) }}>{t('settings.add_app')}</Button>}>
      <p className="muted small">{t('settings.apps_text')}</p>
      <Loaded of={q} isEmpty={(d) => d.apps.length === 0} empty={<Empty title={t('settings.no_apps')} text={t('settings.no_apps_text')} />}>
        {({ apps }) => (
          <ul className="app-list">{apps.map((a) => (
            <li key={a.app_id} className="app">
              <div className="row-of"><h3>{a.app_id}</h3><span className="muted small"><Time at={a.created_at} full /></span><span className="grow" /><Button className="button small" onPress={() => { setHours(24); setRotating(a.app_id) }}>{t('settings.new_key')}<span className="sr-only">: {a.app_id}</span></Button></div>
              {a.secrets.length === 0 && <p className="fault">{t('settings.no_key')}</p>}
              <ul className="key-list">{a.secrets.map((s) => (
                <li key={s.key_id}><code>{s.key_id}</code> <span className="muted small">{t('settings.made')} <Time at={s.created_at} /></span>
                  {s.expires_at && <span className={`chip chip-${isPast(s.expires_at) ? 'seen' : 'review'}`}>{t('settings.ends')} <Time at={s.expires_at} rel /></span>}
                  <Button className="link-button small" onPress={() => setEnding({ app: a.app_id, key: s.key_id })}>{t('settings.revoke')}<span className="sr-only">: {s.key_id}</span></Button></li>
              ))}</ul>
            </li>
          ))}</ul>
        )}
      </Loaded>
      <ActDialog open={adding} onOpen={setAdding} title={t('settings.add_app')} confirm={t('settings.add')} reason="none" ready={/^[A-Za-z0-9._-]{1,64}$/.test(name)} run={async () => shown(await add.mutateAsync(undefined))}>
        <label className="input"><span>{t('settings.app_id')}</span><input value={name} maxLength={64} spellCheck={false} autoComplete="off" onChange={(e) => setName(e.target.value)} /></label>
        <p className="muted small">{t('settings.app_hint')}</p>
      </ActDialog>
      <ActDialog open={rotating !== ''} onOpen={(o) => { if (!o) setRotating('') }} title={t('settings.new_key_of', { app: rotating })} confirm={t('settings.new_key')} reason="none" run={async () => shown(await rotate.mutateAsync(rotating))}>
        <p>{t('settings.new_key_text')}</p>
        <label className="input"><span>{t('settings.overlap')}</span><input type="number" min={0} max={168} value={hours} onChange={(e) => setHours(Math.max(0, Math.min(168, Math.round(Number(e.target.value)) || 0)))} /></label>
      </ActDialog>
      <ActDialog open={ending !== null} onOpen={(o) => { if (!o) setEnding(null) }} title={t('settings.revoke_key', { key: ending?.key ?? '' })} confirm={t('settings.revoke')} danger reason="none" typed={ending?.app ?? ''} run={async () => { await end.mutateAsync(ending as { app: string; key: string }); toast(t('settings.revoked')) }}>
        <p>{t('settings.revoke_text')}</p>
      </ActDialog>
      <SecretOnce of={once} onDone={() => setOnce(null)} />
    </Card>
  )
}
