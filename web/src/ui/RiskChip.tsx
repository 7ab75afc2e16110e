import { useText } from '../i18n/text'
import type { Level } from '../lib/economy'

const tone: Record<Level, string> = { normal: 'pass', attention: 'seen', suspicious: 'review', high: 'block', critical: 'block' }

/** RiskChip is a score with its level in words. */
export function RiskChip({ score, level }: { score: number; level: Level }) {
  const t = useText()
  return <span className={`chip chip-${tone[level]}`}><strong className="num">{score}</strong> {t(`economy.level_${level}`)}</span>
}
