import { placeOf } from '../route'

/** LedgerLink leads to a player's ledger and transfers. */
export const LedgerLink = ({ id }: { id: string }) => <a className="player-link" href={placeOf(['economy', 'player', id])}><bdi>{id}</bdi></a>

export const banTypes = ['temporary', 'permanent', 'trade', 'withdrawal', 'shadow', 'warning'] as const
export type BanType = (typeof banTypes)[number]
