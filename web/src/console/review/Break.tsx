import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useStore } from '../../lib/store'
import { ClockIcon } from '../../ui/icons'
import { Empty } from '../../ui/Page'
import { breakDue, care, putOff, setStretch, stretch } from './care'

/** BreakNudge proposes a break after long work; it can be put off. */
export function BreakNudge({ onBreak }: { onBreak: () => void }) {
  const t = useText()
  const { breakAfter } = useStore(care)
  const s = useStore(stretch)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(tick)
  }, [])
  const minutes = breakDue(s, now, breakAfter)
  if (!minutes) return null
  return (
    <div className="callout break" role="status">
      <ClockIcon size={14} /><span>{t('review.break_due', { n: minutes })}</span><span className="grow" />
      <Button className="button small" onPress={onBreak}>{t('review.break_take')}</Button>
      <Button className="link-button" onPress={() => setStretch(putOff(s, Date.now()))}>{t('review.break_later')}</Button>
    </div>
  )
}

/** OnBreak covers everything until the person is back. */
export function OnBreak({ has, onBack, onEnd }: { has: boolean; onBack: () => void; onEnd: () => void }) {
  const t = useText()
  const back = () => { setStretch({ since: Date.now(), seen: Date.now(), later: 0 }); onBack() }
  return (
    <Empty title={t('review.on_break')} text={t(has ? 'review.on_break_text' : 'review.on_break_none')}
      action={<span className="row-of"><Button className="button primary" onPress={back}>{t('review.go_on')}</Button>{has && <Button className="button" onPress={onEnd}>{t('review.release')}</Button>}</span>} />
  )
}
