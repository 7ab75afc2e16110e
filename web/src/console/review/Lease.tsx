import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ClockIcon } from '../../ui/icons'

/** Lease is the clock of the claim: how long the case is still this person's alone. */
export function Lease({ until, onRenew }: { until: number; onRenew: () => void }) {
  const t = useText()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    setNow(Date.now())
    const tick = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(tick)
  }, [until])
  const left = Math.max(0, Math.round((until - now) / 1000))
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  const low = left <= 60
  return (
    <span className={low ? 'lease lease-low' : 'lease'}>
      <ClockIcon size={14} />
      <span aria-hidden="true" title={t('review.lease_long')}>{clock}</span>
      <span className="sr-only" role="timer" aria-live="off">{t('review.lease', { minutes: Math.ceil(left / 60) })}</span>
      {low && <span role="alert" className="sr-only">{t(left ? 'review.lease_low' : 'review.lease_over')}</span>}
      {low && <Button className="button small" onPress={onRenew}>{t(left ? 'review.lease_keep' : 'review.lease_again')}</Button>}
    </span>
  )
}
