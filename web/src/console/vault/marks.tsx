import type { components } from '../../lib/api.gen'
import { useText } from '../../i18n/text'
import { HoldIcon, StopIcon } from '../../ui/icons'

export type Evidence = components['schemas']['Evidence']
export type Link = components['schemas']['EvidenceLink']

/** Marks say what holds for an item: on hold, locked, gone. */
export function Marks({ of: e }: { of: Evidence }) {
  const t = useText()
  return (
    <span className="row-of">
      {e.hold && <span className="chip chip-hold"><HoldIcon size={13} />{t('vault.held')}</span>}
      {e.locked && <span className="chip chip-block"><StopIcon size={13} />{t('vault.locked')}</span>}
      {e.removed_at && <span className="chip chip-seen">{t('vault.state_removed')}</span>}
      {!e.hold && !e.locked && !e.removed_at && <span className="muted">{t('vault.state_kept')}</span>}
    </span>
  )
}
