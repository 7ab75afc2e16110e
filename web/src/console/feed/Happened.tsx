import { useText } from '../../i18n/text'
import type { FeedEvent } from '../../lib/wire'
import { useFactorNames } from '../../ui/Factors'

type Other = NonNullable<FeedEvent['other']>

/** Happened says what an event tells that is no verdict. */
export function Happened({ of, app }: { of: Other; app: string }) {
  return of.factors ? <Because of={of} factors={of.factors} app={app} /> : <>{of.text}</>
}

function Because({ of, factors, app }: { of: Other; factors: readonly string[]; app: string }) {
  const t = useText()
  const name = useFactorNames(app)
  return <>{t('words.say_with_reason', { what: of.text, why: factors.map(name).join(', ') })}</>
}
