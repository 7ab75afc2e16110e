import { useState } from 'react'
import { Button, Form } from 'react-aria-components'
import { useText } from '../i18n/text'
import { ApiError, explain } from '../lib/api'
import { http } from '../lib/http'
import { Field } from '../ui/Field'

const minPassword = 12

/** PasswordForm sets the password of whose link it is; the token in the link works once. */
export function PasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const t = useText()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [error, setError] = useState('')
  const short = [...password].length < minPassword ? t('door.short', { n: minPassword }) : ''
  const differs = again !== password ? t('door.differ') : ''
  const submit = async () => {
    setTried(true)
    if (short || differs) return
    setBusy(true)
    setError('')
    try {
      await http.post('/auth/password', { body: { token, password } })
      onDone()
    } catch (err) {
      setBusy(false)
      setError(err instanceof ApiError && [1002, 3002].includes(err.code) ? t('settings.password_used') : explain(err))
    }
  }
  return (
    <Form className="form" validationBehavior="aria" onSubmit={(e) => { e.preventDefault(); if (!busy) void submit() }}>
      <p className="muted">{t('settings.password_text')}</p>
      <Field label={t('door.password')} name="new-password" type="password" autoComplete="new-password" value={password} onChange={setPassword} isRequired autoFocus hint={t('door.password_hint', { n: minPassword })} error={tried && short ? short : undefined} />
      <Field label={t('door.password_again')} name="new-password-again" type="password" autoComplete="new-password" value={again} onChange={setAgain} isRequired error={tried && differs ? differs : undefined} />
      <div role="alert" className="form-alert">{error}{error && <> <a href="#/">{t('door.sign_in')}</a></>}</div>
      <Button type="submit" className="button primary wide" isDisabled={busy}>{t(busy ? 'common.working' : 'settings.password_set')}</Button>
    </Form>
  )
}
