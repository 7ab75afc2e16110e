import { useCallback, useState } from 'react'
import { Button } from 'react-aria-components'
import { api, ApiError, UNREACHABLE } from '../lib/api'
import type { Moderator, Status } from '../lib/wire'
import { usePoll } from '../ui/hooks'
import { FeedIcon, KeysIcon, LeaveIcon, ModelsIcon } from '../ui/icons'
import { Mark } from '../ui/Mark'
import { ThemeToggle } from '../ui/ThemeToggle'
import { FeedPage } from './feed/FeedPage'
import { HelpDialog } from './HelpDialog'
import { ModelsPage } from './ModelsPage'
import { useRoute } from './route'
import { StatusStrip } from './StatusStrip'

interface Props { me: Moderator; onSignedOut: (ended: boolean) => void }

/** Shell is the frame around the screens: the rail, the screen, the state of the gateway. */
export function Shell({ me, onSignedOut }: Props) {
  const [status, setStatus] = useState<Status | null>(null)
  const [unreachable, setUnreachable] = useState(false)
  const [help, setHelp] = useState(false)
  const route = useRoute()
  const here = (path: string) => (route.path === path ? 'page' as const : undefined)
  const ended = useCallback(() => onSignedOut(true), [onSignedOut])

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
      <a className="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus() }}>Skip to the page</a>
      <nav className="rail" aria-label="Console">
        <span className="rail-brand"><Mark /><span className="rail-word">Portcullis</span></span>
        <a className="rail-item" href="#/feed" aria-current={here('/models') ? undefined : 'page'}><FeedIcon size={18} /><span>Live feed</span></a>
        <a className="rail-item" href="#/models" aria-current={here('/models')}><ModelsIcon size={18} /><span>Models</span></a>
        <span className="rail-space" />
        <Button className="icon-button" aria-label="Keyboard shortcuts" onPress={() => setHelp(true)}><KeysIcon size={18} /></Button>
        <ThemeToggle />
        <span className="rail-user" title={`${me.name}, ${me.role}`}>
          <span className="avatar" aria-hidden="true">{[...me.name][0]?.toUpperCase() ?? '?'}</span>
          <span className="sr-only">Signed in as {me.name}, {me.role}</span>
        </span>
        <Button className="icon-button" aria-label="Sign out" onPress={() => void leave()}><LeaveIcon size={18} /></Button>
      </nav>
      {here('/models') ? <ModelsPage onEnded={ended} /> : <FeedPage me={me} onEnded={ended} onHelp={() => setHelp(true)} />}
      <StatusStrip status={status} unreachable={unreachable} />
      <HelpDialog open={help} onOpen={setHelp} />
    </div>
  )
}
