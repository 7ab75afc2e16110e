import { Button } from 'react-aria-components'
import type { LinkState } from '../lib/link'
import { useCountdown } from './hooks'

/** LinkPill says how the connection stands, and lets one try again at once. */
export function LinkPill({ state, live = 'Live', onRetry }: { state: LinkState; live?: string; onRetry: () => void }) {
  const wait = useCountdown(state.retryAt)
  const lost = state.phase === 'waiting' || state.phase === 'stopped'
  const offline = lost && typeof navigator !== 'undefined' && navigator.onLine === false
  let word = live
  if (state.phase === 'connecting') word = 'Connecting'
  if (state.phase === 'idle') word = 'Not connected'
  if (state.phase === 'waiting') word = offline ? 'Offline' : wait > 0 ? `Reconnecting in ${wait} s` : 'Reconnecting'
  if (state.phase === 'stopped') word = 'Disconnected'
  return (
    <span className={`pill pill-${state.phase}`}>
      <span className="pill-dot" aria-hidden="true" />
      <span title={state.reason}>{word}</span>
      {lost && <Button className="link-button" onPress={onRetry}>Retry now</Button>}
    </span>
  )
}
