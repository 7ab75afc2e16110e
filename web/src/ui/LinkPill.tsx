import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import type { LinkState } from '../lib/link'
import { useCountdown } from './hooks'

/** LinkPill says how the connection stands, and lets one try again at once. */
export function LinkPill({ state, live, onRetry }: { state: LinkState; live?: string; onRetry: () => void }) {
  const t = useText()
  const wait = useCountdown(state.retryAt)
  const lost = state.phase === 'waiting' || state.phase === 'stopped'
  const offline = lost && typeof navigator !== 'undefined' && navigator.onLine === false
  let word = live ?? t('common.link_live')
  if (state.phase === 'connecting') word = t('common.link_connecting')
  if (state.phase === 'idle') word = t('common.link_idle')
  if (state.phase === 'waiting') word = offline ? t('common.link_offline') : wait > 0 ? t('common.link_in', { seconds: wait }) : t('common.link_again')
  if (state.phase === 'stopped') word = t('common.link_lost')
  return (
    <span className={`pill pill-${state.phase}`}>
      <span className="pill-dot" aria-hidden="true" />
      <span title={state.reason}>{word}</span>
      {lost && <Button className="link-button" onPress={onRetry}>{t('common.retry_now')}</Button>}
    </span>
  )
}
