import { useState } from 'react'
import { Button, Form } from 'react-aria-components'
import { useText } from '../i18n/text'
import { api, ApiError, explain } from '../lib/api'
import type { Moderator } from '../lib/wire'
import { Field } from '../ui/Field'
import { useCountdown } from '../ui/hooks'

/** SignInForm asks for name and password; after too many tries it waits as long as it is told. */
export function SignInForm({ onDone }: { onDone: (me: Moderator) => void }) {
  const t = useText()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const [until, setUntil] = useState<number>()
  const wait = useCountdown(until)

  const submit = async () => {
    setBusy(true)
    setError('')
    try {
      onDone(await api.login(name, password))
    } catch (err) {
      setBusy(false)
      setPassword('')
      if (err instanceof ApiError && err.code === 1003) setUntil(Date.now() + Math.max(1000, err.retryAfterMs))
      else if (err instanceof ApiError && err.code === 1002) setError(t('door.wrong'))
      else setError(explain(err))
    }
  }

  return (
    <Form className="form" onSubmit={(e) => { e.preventDefault(); if (!busy && !wait) void submit() }}>
      <Field label={t('door.name')} name="name" autoComplete="username" value={name} onChange={setName} isRequired autoFocus />
      <Field label={t('door.password')} name="password" type="password" autoComplete="current-password" value={password} onChange={setPassword} isRequired />
      <div role="alert" className="form-alert">
        {wait > 0 ? t('door.wait', { seconds: wait }) : error}
      </div>
      <Button type="submit" className="button primary wide" isDisabled={busy || wait > 0}>{busy ? t('door.signing_in') : t('door.sign_in')}</Button>
    </Form>
  )
}
