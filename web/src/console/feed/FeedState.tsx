import { Button } from 'react-aria-components'
import type { LinkState } from '../../lib/link'

interface Props {
  link: LinkState
  refused: number | null
  subscribed: boolean
  filtered: boolean
  total: number
  onRetry: () => void
  onClear: () => void
}

/** FeedState stands where no row does and says why, and what to do. */
export function FeedState({ link, refused, subscribed, filtered, total, onRetry, onClear }: Props) {
  const lost = link.phase === 'waiting' || link.phase === 'stopped'
  if (refused !== null) {
    return refused === 1004
      ? <State title="Your role may not see the feed" text="Ask an administrator for the moderator role." />
      : <State title="The feed was refused" text={`The gateway answered with code ${refused}.`} action={<Button className="button" onPress={onRetry}>Try again</Button>} />
  }
  if (lost) {
    const offline = navigator.onLine === false
    return <State title={offline ? 'You are offline' : 'No connection to the gateway'} text={`${link.reason ?? ''} ${link.phase === 'waiting' ? 'It is tried again by itself.' : ''}`} action={<Button className="button" onPress={onRetry}>Retry now</Button>} />
  }
  if (!subscribed) return <State title="Opening the feed…" quiet />
  if (filtered) {
    return <State title="Nothing matches the filter" text={total ? 'Other events are coming in.' : 'No events have come in yet.'} action={<Button className="button" onPress={onClear}>Clear the filter</Button>} />
  }
  return <State title="Waiting for the first message" text="Every verdict shows here the moment it is made. Say something in a game that is connected, or in the demo." />
}

function State({ title, text, action, quiet }: { title: string; text?: string; action?: React.ReactNode; quiet?: boolean }) {
  return (
    <div className="state" role="status">
      {quiet ? <span className="state-dots" aria-hidden="true"><i /><i /><i /></span> : null}
      <p className="state-title">{title}</p>
      {text && <p className="muted">{text}</p>}
      {action}
    </div>
  )
}
