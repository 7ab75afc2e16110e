import { useText } from '../../i18n/text'
import type { components } from '../../lib/api.gen'
import { StopIcon } from '../../ui/icons'
import { placeOf } from '../route'

type Schemas = components['schemas']
export type Bank = Schemas['ImageBank']
export type BankFound = Schemas['ImageBankFound']
export type Owner = Bank['owner']

/** The categories that a bank may be of, the gravest first. */
export const bankCategories = ['child_safety', 'extremism', 'gore', 'nudity', 'semi_nudity', 'hate', 'illegal', 'ip_infringement', 'malicious_link', 'advertising', 'spam', 'political'] as const

/** Banks of these are changed by administrators alone, and ask for a step more. */
export const isGrave = (category: string): boolean => category === 'child_safety' || category === 'extremism'

export const placeOfBank = (b: Pick<Bank, 'owner' | 'name'>): string => placeOf(['image-banks', b.owner, b.name])

const tones = { test: 'review', live: 'pass', retired: 'seen' } as const

export function StateChip({ of }: { of: Bank['state'] }) {
  const t = useText()
  return <span className={`chip chip-${tones[of] ?? 'seen'}`}>{t(`banks.state_${of}`)}</span>
}

/** Lock marks a bank whose pictures are never shown and whose answers are for administrators. */
export function Lock({ category }: { category: string }) {
  const t = useText()
  return isGrave(category) ? <span className="chip chip-block"><StopIcon size={12} />{t('banks.locked')}</span> : null
}
