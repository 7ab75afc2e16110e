import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api, explain } from '../lib/api'
import type { Scene } from '../lib/wire'
import { clockTime, found, took, share, categoryName, plain } from '../lib/words'
import { VerdictChip } from '../ui/Chips'
import { LinkPill } from '../ui/LinkPill'
import { Quoted } from '../ui/Quoted'
import { useModerators, type Seen } from './useModerators'

/** ModeratorStrip shows the other side: what was found, how sure, how fast. */
export function ModeratorStrip({ scene }: { scene: Scene | undefined }) {
  const { me, link, events, decided, retry } = useModerators()
  const here = events.filter((e) => e.scene_id === scene?.scene_id)
  return (
    <section className="mods" aria-label="What the moderators see">
      <header className="mods-head">
        <h2>What the moderators see</h2>
        {me && <LinkPill state={link} onRetry={retry} />}
        <span className="grow" />
        {me && <a href="../console/#/feed">Open the live feed</a>}
      </header>
      {!me && <p className="mods-empty muted">Players are told a category and nothing more. Scores, places and rules go to moderators alone. <a href="../console/">Sign in to the console</a> and they show here too.</p>}
      {me && here.length === 0 && <p className="mods-empty muted">Nothing yet in this scene. What you say above shows here with its reasons.</p>}
      {me && here.length > 0 && <ul className="mods-list">{here.slice(0, 30).map((e) => <ModeratorRow key={e.event_id} event={e} onDecided={decided} />)}</ul>}
    </section>
  )
}

function ModeratorRow({ event, onDecided }: { event: Seen; onDecided: (id: string, d: 'approve' | 'reject') => void }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const decide = async (d: 'approve' | 'reject') => {
    setBusy(true)
    try {
      await api.decide(event.case_id as string, { decision: d, policy: 'demo', reason: 'decided in the demo' }, event.case_version ?? 0)
      onDecided(event.case_id as string, d)
    } catch (err) {
      setError(explain(err))
    }
    setBusy(false)
  }
  return (
    <li className="mods-row">
      <span className="muted num">{clockTime(event.at)}</span>
      <span><VerdictChip of={event} /></span>
      <span className="mods-who"><bdi>{event.player_id}</bdi></span>
      <span className="mods-text"><Quoted text={event.content} lang={event.language} hits={event.hits} /></span>
      <span className="mods-labels">
        {found(event).label.map((l, i) => <span key={i} className="cat">{categoryName(l.category)}{l.sub_label ? `, ${plain(l.sub_label).toLowerCase()}` : ''} {share(l.confidence)}</span>)}
      </span>
      <span className="muted num">{took(event)}</span>
      {event.case_id && (
        <span className="mods-decide">
          {event.decided ? <span className="muted">{event.decided === 'approve' ? 'Approved' : 'Rejected'}</span> : (
            <>
              <Button className="button approve" isDisabled={busy} onPress={() => void decide('approve')}>Approve</Button>
              {/* What nothing was found in is rejected where one can say what is wrong with it. */}
              {found(event).label.length > 0 ? <Button className="button reject" isDisabled={busy} onPress={() => void decide('reject')}>Reject</Button> : <a href="../console/#/feed">Reject in the feed</a>}
            </>
          )}
          {error && <span role="alert" className="form-alert">{error}</span>}
        </span>
      )}
    </li>
  )
}
