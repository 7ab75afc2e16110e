import { useState } from 'react'
import { Button, Form } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { useAppId } from '../../lib/app'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { SearchIcon } from '../../ui/icons'
import { Empty, Failed, Loading, Page } from '../../ui/Page'
import { WithApp } from '../../ui/OfApp'
import { goTo, placeOf } from '../route'
import type { PageProps } from '../screens'
import { Acts } from './Acts'
import { EvidenceCard } from './EvidenceCard'
import { LinkedCard } from './LinkedCard'
import { PenaltyCard } from './PenaltyCard'
import { StandingCard } from './StandingCard'
import { TimelineCard } from './TimelineCard'
import '../../styles/player.css'

/** PlayerPage is everything known of one player, and what may be done. */
export default function PlayerPage({ me, route }: PageProps) {
  const t = useText()
  const choice = useAppId()
  const id = route.rest.join('/')
  const app = new URLSearchParams(route.query).get('app') || choice.app
  if (!id) return <Page title={t('player.players')}><Find app={app} /></Page>
  return (
    <Page key={`${app} ${id}`} title={t('player.title', { id })} actions={app && can(me.role, 'players.punish') ? <Acts app={app} id={id} me={me} /> : null}>
      {app ? <Known app={app} id={id} me={me} /> : <WithApp>{(one) => <Known app={one} id={id} me={me} />}</WithApp>}
    </Page>
  )
}

/** A player is found by the id that the game gives: there is no list of all. */
function Find({ app }: { app: string }) {
  const t = useText()
  const [id, setId] = useState('')
  return (
    <div className="page-state"><div className="state">
      <p className="state-title">{t('player.find')}</p>
      <p className="muted">{t('player.find_text')}</p>
      <Form className="row-of" onSubmit={(e) => { e.preventDefault(); if (id.trim()) goTo(placeOf(['players', id.trim()], { app })) }}>
        <label className="input"><span className="sr-only">{t('player.id')}</span><input value={id} maxLength={128} placeholder={t('player.id')} spellCheck={false} autoComplete="off" onChange={(e) => setId(e.target.value)} /></label>
        <Button type="submit" className="button primary" isDisabled={!id.trim()}><SearchIcon />{t('player.open')}</Button>
      </Form>
    </div></div>
  )
}

function Known({ app, id, me }: { app: string; id: string; me: PageProps['me'] }) {
  const t = useText()
  const player = useApi('/players/{id}', { path: { id }, query: { app_id: app } })
  if (player.error instanceof ApiError && player.error.code === 3001) return <Empty title={t('player.unknown')} text={t('player.unknown_text', { id, app })} action={<a className="button" href="#/players">{t('player.find')}</a>} />
  if (player.error && !player.data) return <Failed error={player.error} onRetry={() => void player.refetch()} />
  if (!player.data) return <Loading />
  return (
    <div className="split">
      <TimelineCard app={app} id={id} me={me} />
      <div className="player-side">
        <StandingCard app={app} player={player.data} me={me} />
        <PenaltyCard app={app} player={player.data} me={me} />
        <LinkedCard app={app} id={id} />
        {can(me.role, 'evidence.log') && <EvidenceCard app={app} id={id} me={me} />}
      </div>
    </div>
  )
}
