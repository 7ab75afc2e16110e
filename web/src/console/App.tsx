import { useCallback, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { rich, useText } from '../i18n/text'
import { api, ApiError, explain } from '../lib/api'
import type { Moderator } from '../lib/wire'
import { Entry } from './Entry'
import { Shell } from './Shell'
import { PasswordForm } from './PasswordForm'
import { SetupForm } from './SetupForm'
import { SignInForm } from './SignInForm'
import { replaceRoute, useRoute } from './route'

type Who =
  | { is: 'asking' }
  | { is: 'nobody'; setupNeeded: boolean; ended: boolean }
  | { is: 'somebody'; me: Moderator }
  | { is: 'unknown'; why: string }

/** App finds out who is here and shows the door or the rooms. */
export function App() {
  const t = useText()
  const route = useRoute()
  const [who, setWho] = useState<Who>({ is: 'asking' })

  const ask = useCallback(async () => {
    setWho({ is: 'asking' })
    try {
      setWho({ is: 'somebody', me: await api.me() })
    } catch (err) {
      if (err instanceof ApiError && err.code === 1002) setWho({ is: 'nobody', setupNeeded: err.setupNeeded, ended: false })
      else setWho({ is: 'unknown', why: explain(err) })
    }
  }, [])
  useEffect(() => { void ask() }, [ask])

  const signedIn = useCallback((me: Moderator) => {
    if (route.path === '/setup' || !route.path.replace('/', '')) replaceRoute('/feed')
    setWho({ is: 'somebody', me })
  }, [route.path])
  const signedOut = useCallback((ended: boolean) => setWho({ is: 'nobody', setupNeeded: false, ended }), [])

  if (route.path === '/password') {
    return <Entry title={t('settings.password_title')}><PasswordForm token={new URLSearchParams(route.query).get('token') ?? ''} onDone={() => { replaceRoute('/feed'); void ask() }} /></Entry>
  }
  if (route.path === '/setup' && who.is !== 'somebody') {
    return <Entry title={t('door.create_admin')}><SetupForm token={new URLSearchParams(route.query).get('token') ?? ''} onDone={signedIn} /></Entry>
  }
  switch (who.is) {
    case 'asking':
      return <Entry title="Portcullis"><p className="muted" role="status">{t('common.loading')}</p></Entry>
    case 'unknown':
      return (
        <Entry title={t('door.no_connection')}>
          <p role="alert">{who.why}</p>
          <Button className="button primary" onPress={() => void ask()}>{t('common.try_again')}</Button>
        </Entry>
      )
    case 'nobody':
      return (
        <Entry title={t('door.sign_in')}>
          {who.ended && <p className="callout" role="status">{t('door.session_ended')}</p>}
          {who.setupNeeded && (
            <p className="callout">
              {rich('door.no_admin', { code: (x) => <code>{x}</code> })}
            </p>
          )}
          <SignInForm onDone={signedIn} />
        </Entry>
      )
    case 'somebody':
      return <Shell me={who.me} onSignedOut={signedOut} />
  }
}
