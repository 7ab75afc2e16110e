import { createElement, lazy, Suspense, useCallback, useEffect, useMemo, useReducer, useState, type ComponentType } from 'react'
import { useText } from '../i18n/text'
import { api, ApiError, UNREACHABLE } from '../lib/api'
import { onSessionEnded } from '../lib/query'
import type { Moderator, Status } from '../lib/wire'
import { usePoll } from '../ui/hooks'
import { Empty, Forbidden, Loading, Page } from '../ui/Page'
import { Toasts } from '../ui/Toast'
import { Broken } from './Broken'
import { PreferencesDialog } from './PreferencesDialog'
import { Rail } from './Rail'
import { useRoute, type Route } from './route'
import { restOf, screenOf, screens, type PageProps, type Screen } from './screens'
import { useShortcuts } from './shortcuts'
import { StatusStrip } from './StatusStrip'

interface Props { me: Moderator; onSignedOut: (ended: boolean) => void }

/** Shell is the frame around the screens: the rail, the screen, the state of the gateway. */
export function Shell({ me, onSignedOut }: Props) {
  const t = useText()
  const [status, setStatus] = useState<Status | null>(null)
  const [unreachable, setUnreachable] = useState(false)
  const [help, setHelp] = useState(false)
  const route = useRoute()
  const screen = screenOf(route.path) ?? (route.path === '' || route.path === '/' ? screenOf('/feed') : undefined)
  const ended = useCallback(() => onSignedOut(true), [onSignedOut])
  useEffect(() => { onSessionEnded(ended); return () => onSessionEnded(() => {}) }, [ended])
  useShortcuts({ help: () => setHelp(true) })

  usePoll(() => {
    api.status().then(
      (s) => { setStatus(s); setUnreachable(false) },
      (err: unknown) => {
        if (err instanceof ApiError && err.code === 1002) ended()
        else setUnreachable(err instanceof ApiError && (err.code === UNREACHABLE || err.status >= 500))
      },
    )
  }, 5000)

  const leave = async () => {
    await api.logout().catch(() => undefined)
    onSignedOut(false)
  }

  return (
    <div className="shell">
      <a className="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus() }}>{t('shell.skip')}</a>
      <Rail me={me} here={screen} onHelp={() => setHelp(true)} onLeave={() => void leave()} />
      <div className="shell-main"><Place screen={screen} me={me} route={route} onEnded={ended} /></div>
      <StatusStrip status={status} unreachable={unreachable} />
      <PreferencesDialog open={help} onOpen={setHelp} />
      <Toasts />
    </div>
  )
}

/** Each screen's page, fetched when it is first drawn. */
const pages = new Map(screens.map((s) => [s, lazy(s.load)]))
/** A page whose code could not be fetched is asked for anew: lazy remembers its failure. */
const fetchAnew = (s: Screen) => pages.set(s, lazy(s.load))

function Place({ screen, me, route, onEnded }: { screen: Screen | undefined; me: Moderator; route: Route; onEnded: () => void }) {
  const t = useText()
  const [, again] = useReducer((n: number) => n + 1, 0)
  const { path, query } = route
  const place = useMemo(() => ({ path, query, rest: screen ? restOf(screen, path) : [] }), [path, query, screen])
  if (!screen) return <Page title={t('shell.not_found')}><Empty title={t('shell.not_found_text')} action={<a className="button" href="#/feed">{t('shell.screen_feed')}</a>} /></Page>
  if (!screen.roles.includes(me.role)) return <Page title={t(screen.label)}><Forbidden /></Page>
  return (
    <Broken key={screen.path} onRetry={() => { fetchAnew(screen); again() }}>
      <Suspense fallback={<Page title={t(screen.label)}><Loading /></Page>}>{createElement(pages.get(screen) as ComponentType<PageProps>, { me, onEnded, route: place })}</Suspense>
    </Broken>
  )
}
