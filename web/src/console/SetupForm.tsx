import { useState } from 'react'
import { Button, Form } from 'react-aria-components'
import { rich, useText } from '../i18n/text'
import { api, ApiError, explain } from '../lib/api'
import type { Moderator } from '../lib/wire'
import { Field } from '../ui/Field'

const minPassword = 12

/** SetupForm makes the first administrator; the token in the link works once. */
export function SetupForm({ token, onDone }: { token: string; onDone: (me: Moderator) => void }) {
  const t = useText()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [error, setError] = useState('')

  const short = [...password].length < minPassword ? t('door.short', { n: minPassword }) : ''
  const differs = again !== password ? t('door.differ') : ''

  const submit = async () => {
    setTried(true)
    if (!name || short || differs) return
    setBusy(true)
    setError('')
    try {
      onDone(await api.setup(token, name, password))
    } catch (err) {
      setBusy(false)
      const used = err instanceof ApiError && [1002, 1007, 3002].includes(err.code)
      setError(used ? t('door.link_used') : explain(err))
    }
  }

  if (!token) {
    return <p className="callout" role="alert">{rich('door.no_token', { code: (x) => <code>{x}</code> })}</p>
  }
  return (
    <Form className="form" validationBehavior="aria" onSubmit={(e) => { e.preventDefault(); if (!busy) void submit() }}>
      <p className="muted">{t('door.setup_text')}</p>
      <Field label={t('door.name')} name="name" autoComplete="username" value={name} onChange={setName} isRequired autoFocus error={tried && !name ? t('door.choose_name') : undefined} />
      <Field label={t('door.password')} name="new-password" type="password" autoComplete="new-password" value={password} onChange={setPassword} isRequired hint={t('door.password_hint', { n: minPassword })} error={tried && short ? short : undefined} />
      <Field label={t('door.password_again')} name="new-password-again" type="password" autoComplete="new-password" value={again} onChange={setAgain} isRequired error={tried && differs ? differs : undefined} />
      <div role="alert" className="form-alert">{error}{error && <> <a href="#/">{t('door.sign_in')}</a></>}</div>
      <Button type="submit" className="button primary wide" isDisabled={busy}>{busy ? t('door.creating') : t('door.create')}</Button>
    </Form>
  )
}
