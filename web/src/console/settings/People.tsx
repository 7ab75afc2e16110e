import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import type { components } from '../../lib/api.gen'
import { http } from '../../lib/http'
import { faultsAt, type Fault } from '../../lib/layer'
import { useApi, useChange } from '../../lib/query'
import type { Role } from '../../lib/roles'
import { allCategories, type Moderator } from '../../lib/wire'
import { categoryName, roleName } from '../../lib/words'
import { ActDialog, Window } from '../../ui/ActDialog'
import { FaultsAt } from '../../ui/Faults'
import { Card, Loaded } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import { SecretOnce, type Once } from './SecretOnce'

type User = components['schemas']['User']
const roles: Role[] = ['viewer', 'moderator', 'senior', 'admin', 'auditor']
interface Form { name: string; role: Role; disabled: boolean; queues: string; categories: readonly string[]; isNew: boolean }

/** People are the moderators: what each may do and take, and where each is signed in. */
export function People({ me }: { me: Moderator }) {
  const t = useText()
  const q = useApi('/users')
  const [form, setForm] = useState<Form | null>(null)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [once, setOnce] = useState<Once | null>(null)
  const [sessions, setSessions] = useState('')
  const [reset, setReset] = useState('')
  const link = (name: string, l: { link: string; link_expires_at: string }) => setOnce({ title: t('settings.link_of', { name }), what: t('settings.link'), secret: new URL(l.link.replace(/^\/console\//, ''), document.baseURI).toString(), text: t('settings.link_text') })
  const save = useChange(async (f: Form) => {
    const body = { role: f.role, disabled: f.disabled, queues: f.queues.split(',').map((x) => x.trim()).filter(Boolean), categories: [...f.categories] }
    try {
      if (f.isNew) { const a = await http.post('/users', { body: { name: f.name, ...body } }); link(f.name, a) } else await http.put('/users/{name}', { path: { name: f.name }, body })
      setFaults([])
    } catch (err) { setFaults(err instanceof ApiError ? err.errors : []); throw err }
  }, ['/users'])
  const renew = useChange(async (name: string) => link(name, await http.post('/users/{name}/reset', { path: { name } })), ['/users'])
  const open = (u?: User) => { setFaults([]); setForm(u ? { name: u.name, role: u.role, disabled: u.disabled, queues: u.queues.join(', '), categories: u.categories, isNew: false } : { name: '', role: 'moderator', disabled: false, queues: '', categories: [], isNew: true }) }
  return (
    <Card title={t('settings.tab_people')} actions={<Button className="button small" onPress={() => open()}>{t('settings.add_person')}</Button>}>
      <Loaded of={q}>
        {({ users }) => <Table label={t('settings.tab_people')} rows={users} rowKey={(u) => u.name} columns={[
          { key: 'name', head: t('common.name'), cell: (u) => <><bdi><strong>{u.name}</strong></bdi>{u.name === me.name && <span className="muted small"> {t('settings.you')}</span>}</>, sort: (u) => u.name },
          { key: 'role', head: t('settings.role'), cell: (u) => <>{roleName(u.role)}{u.disabled && <span className="chip chip-block">{t('settings.disabled')}</span>}</>, sort: (u) => u.role },
          { key: 'may', head: t('settings.may_take'), cell: (u) => [...u.queues, ...u.categories.map(categoryName)].join(', ') || t('settings.everything') },
          { key: 'at', head: t('settings.since'), cell: (u) => <Time at={u.created_at} />, sort: (u) => u.created_at },
          { key: 'do', head: t('settings.do'), cell: (u) => <span className="row-of"><Button className="link-button small" onPress={() => open(u)}>{t('settings.change')}<span className="sr-only">: {u.name}</span></Button><Button className="link-button small" onPress={() => setSessions(u.name)}>{t('settings.sessions')}<span className="sr-only">: {u.name}</span></Button><Button className="link-button small" onPress={() => setReset(u.name)}>{t('settings.new_link')}<span className="sr-only">: {u.name}</span></Button></span>, width: 'minmax(0, 1.6fr)' },
        ]} />}
      </Loaded>
      <ActDialog open={form !== null} onOpen={(o) => { if (!o) setForm(null) }} title={form?.isNew ? t('settings.add_person') : t('settings.change_person', { name: form?.name ?? '' })} confirm={t('common.save')} wide reason="none" ready={Boolean(form?.name.trim())} run={() => save.mutateAsync(form as Form)}>
        {form && (
          <>
            {form.isNew && <label className="input"><span>{t('common.name')}</span><input value={form.name} maxLength={64} autoComplete="off" spellCheck={false} onChange={(e) => setForm({ ...form, name: e.target.value })} /><FaultsAt of={faultsAt(faults, '/name')} /></label>}
            <label className="input"><span>{t('settings.role')}</span><select value={form.role} onChange={(e) => setForm({ ...form, role: e.target.value as Role })}>{roles.map((r) => <option key={r} value={r}>{roleName(r)}</option>)}</select></label>
            <p className="muted small">{t(`settings.role_${form.role}`)}</p>
            <label className="input"><span>{t('settings.queues')}</span><input value={form.queues} placeholder={t('settings.everything')} spellCheck={false} onChange={(e) => setForm({ ...form, queues: e.target.value })} /><FaultsAt of={faultsAt(faults, '/queues')} /></label>
            <fieldset className="form"><legend>{t('settings.categories')}</legend><div className="checks checks-narrow">{allCategories.map((c) => <label key={c} className="check small"><input type="checkbox" checked={form.categories.includes(c)} onChange={(e) => setForm({ ...form, categories: e.target.checked ? [...form.categories, c] : form.categories.filter((x) => x !== c) })} /><span>{categoryName(c)}</span></label>)}</div></fieldset>
            {!form.isNew && <label className="check"><input type="checkbox" checked={form.disabled} onChange={(e) => setForm({ ...form, disabled: e.target.checked })} /><span>{t('settings.disable')}</span></label>}
            {!form.isNew && <p className="muted small">{t('settings.change_ends')}</p>}
          </>
        )}
      </ActDialog>
      <ActDialog open={reset !== ''} onOpen={(o) => { if (!o) setReset('') }} title={t('settings.link_of', { name: reset })} confirm={t('settings.new_link')} reason="none" run={() => renew.mutateAsync(reset)}><p>{t('settings.link_text')}</p></ActDialog>
      {sessions && <Sessions name={sessions} onClose={() => setSessions('')} />}
      <SecretOnce of={once} onDone={() => setOnce(null)} />
    </Card>
  )
}

function Sessions({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useText()
  const q = useApi('/users/{name}/logins', { path: { name } })
  const end = useChange((id: string) => http.delete('/users/{name}/logins', { path: { name }, query: (id ? { login_id: id } : {}) as never }), ['/users'])
  return (
    <Window open onOpen={(o) => { if (!o) onClose() }} wide title={t('settings.sessions_of', { name })}>
      <Loaded of={q} isEmpty={(d) => d.logins.length === 0} empty={<p className="muted">{t('settings.no_sessions')}</p>}>
        {({ logins }) => <Table label={t('settings.sessions')} rows={logins} rowKey={(l) => l.login_id} columns={[
          { key: 'at', head: t('settings.signed_in'), cell: (l) => <Time at={l.created_at} /> }, { key: 'seen', head: t('settings.last_seen'), cell: (l) => <Time at={l.last_seen_at} rel /> },
          { key: 'do', head: t('settings.do'), cell: (l) => <Button className="link-button small" onPress={() => end.mutate(l.login_id)}>{t('settings.end_session')}<span className="sr-only">: {l.created_at}</span></Button> },
        ]} />}
      </Loaded>
      <div className="dialog-buttons"><Button className="button danger" isDisabled={end.isPending} onPress={() => end.mutate('', { onSuccess: () => toast(t('settings.sessions_ended')) })}>{t('settings.end_all')}</Button></div>
    </Window>
  )
}
