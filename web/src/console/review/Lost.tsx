import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { explain } from '../../lib/api'
import { categoryName, plain } from '../../lib/words'
import { toast } from '../../ui/Toast'
import type { Desk, Lost as LostOne } from './desk'

/** Lost lists decisions that the gateway did not take, each with why and a way back to it. */
export function Lost({ desk, lost }: { desk: Desk; lost: readonly LostOne[] }) {
  const t = useText()
  if (!lost.length) return null
  return (
    <ul className="lost" role="alert">
      {lost.map((l) => (
        <li key={l.work.file.case_id} className="callout warn">
          <span>{t('review.lost', { what: l.work.file.category ? categoryName(l.work.file.category) : plain(l.work.file.kind ?? 'content'), why: explain(l.fault) })}</span>
          <Button className="link-button" onPress={() => { desk.again(l).catch((err: unknown) => toast(explain(err))) }}>{t('review.decide_again')}</Button>
          <Button className="link-button" onPress={() => desk.forget(l)}>{t('common.dismiss')}</Button>
        </li>
      ))}
    </ul>
  )
}
