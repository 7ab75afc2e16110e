import { placeOf } from '../console/route'

/** PlayerLink leads to a player's page; the id is a stranger's text and stays isolated. */
export function PlayerLink({ app, id }: { app?: string | undefined; id: string }) {
  return <a className="player-link" href={placeOf(['players', id], { app })}><bdi>{id}</bdi></a>
}

/** CaseLink leads to a case in the review screen. */
export function CaseLink({ id, children }: { id: string; children?: React.ReactNode }) {
  return <a href={placeOf(['review', id])}>{children ?? <code>{id}</code>}</a>
}
