import { Button } from 'react-aria-components'
import { State } from '../../ui/Page'
import { useText } from '../../i18n/text'
import type { LinkState } from '../../lib/link'

interface Props {
  link: LinkState
  refused: number | null
  filtered: boolean
  total: number
  onRetry: () => void
  onClear: () => void
}

/** FeedState stands where no row does and says why, and what to do. */
export function FeedState({ link, refused, filtered, total, onRetry, onClear }: Props) {
  const t = useText()
  const lost = link.phase === 'waiting' || link.phase === 'stopped'
  if (refused !== null) {
    return refused === 1004
      ? <State title={t('feed.no_feed_role')} text={t('feed.ask_role')} />
      : <State title={t('feed.refused')} text={t('feed.refused_text', { code: refused })} action={<Button className="button" onPress={onRetry}>{t('common.try_again')}</Button>} />
  }
  if (lost) {
    const offline = navigator.onLine === false
    return <State title={t(offline ? 'common.offline' : 'common.no_gateway')} text={`${link.reason ?? ''} ${link.phase === 'waiting' ? t('feed.tried_again') : ''}`} action={<Button className="button" onPress={onRetry}>{t('common.retry_now')}</Button>} />
  }
  if (link.phase !== 'open') return <State title={t('feed.opening')} quiet />
  if (filtered) {
    return <State title={t('feed.no_match')} text={t(total ? 'feed.no_match_some' : 'feed.no_match_none')} action={<Button className="button" onPress={onClear}>{t('feed.clear_filter')}</Button>} />
  }
  return <State title={t('feed.waiting')} text={t('feed.waiting_text')} />
}
