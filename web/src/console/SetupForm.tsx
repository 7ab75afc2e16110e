import { useState } from 'react'
import { Button, Form } from 'react-aria-components'
import { api, ApiError, explain } from '../lib/api'
import type { Moderator } from '../lib/wire'
import { Field } from '../ui/Field'

const minPassword = 12

/** SetupForm makes the first administrator; the token in the link works once. */
export function SetupForm({ token, onDone }: { token: string; onDone: (me: Moderator) => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [busy, setBusy] = useState(false)
  const [tried, setTried] = useState(false)
  const [error, setError] = useState('')

  const short = [...password].length < minPassword ? `Use at least ${minPassword} characters.` : ''
  const differs = again !== password ? 'The two passwords differ.' : ''

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
      setError(used ? 'This setup link is not valid any more. Start the gateway again to get a new one, or sign in.' : explain(err))
    }
  }

  if (!token) {
    return <p className="callout" role="alert">The link has no token. Open the whole link that <code>portcullis serve</code> printed.</p>
  }
  return (
    <Form className="form" validationBehavior="aria" onSubmit={(e) => { e.preventDefault(); if (!busy) void submit() }}>
      <p className="muted">This account can sign in to the console and add others. The link works once.</p>
      <Field label="Name" name="name" autoComplete="username" value={name} onChange={setName} isRequired autoFocus error={tried && !name ? 'Choose a name.' : undefined} />
      <Field label="Password" name="new-password" type="password" autoComplete="new-password" value={password} onChange={setPassword} isRequired hint={`At least ${minPassword} characters. A few unrelated words do well.`} error={tried && short ? short : undefined} />
      <Field label="Password again" name="new-password-again" type="password" autoComplete="new-password" value={again} onChange={setAgain} isRequired error={tried && differs ? differs : undefined} />
      <div role="alert" className="form-alert">{error}{error && <> <a href="#/">Sign in</a></>}</div>
      <Button type="submit" className="button primary wide" isDisabled={busy}>{busy ? 'Creating…' : 'Create and sign in'}</Button>
    </Form>
  )
}
