import { useText } from '../../i18n/text'
import { placeOf } from '../route'

export type Level = 'normal' | 'attention' | 'suspicious' | 'high' | 'critical'
const tone: Record<Level, string> = { normal: 'pass', attention: 'seen', suspicious: 'review', high: 'block', critical: 'block' }

/** RiskChip is a score with its level in words. */
export function RiskChip({ score, level }: { score: number; level: Level }) {
  const t = useText()
  return <span className={`chip chip-${tone[level]}`}><strong className="num">{score}</strong> {t(`economy.level_${level}`)}</span>
}

/** LedgerLink leads to a player's ledger and transfers. */
export const LedgerLink = ({ id }: { id: string }) => <a className="player-link" href={placeOf(['economy', 'player', id])}><bdi>{id}</bdi></a>

export const banTypes = ['temporary', 'permanent', 'trade', 'withdrawal', 'shadow', 'warning'] as const
export type BanType = (typeof banTypes)[number]
