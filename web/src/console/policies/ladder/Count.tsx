import { at, faultsAt, put } from '../../../lib/layer'
import { FaultsAt } from '../../../ui/Faults'
import type { Draft } from '../useDraft'

interface Props { d: Draft; where: string; label: string; most: number; least?: number; hint?: string; quiet?: boolean; off?: boolean; set?: boolean }

/** Count is a whole number at a place of what is edited; an empty field takes it out. */
export function Count({ d, where, label, most, least = 1, hint, quiet, off, set }: Props) {
  const now = at(d.body, where)
  const wrong = faultsAt(d.faults, where)
  return (
    <label className={set && now !== undefined ? 'input input-set' : 'input'}><span className={quiet ? 'sr-only' : undefined}>{label}</span>
      <input type="number" inputMode="numeric" min={least} max={most} step={1} value={now === undefined ? '' : String(now)} placeholder={hint} disabled={off} aria-invalid={wrong.length > 0 || undefined}
        onChange={(e) => d.set(put(d.body, where, e.target.value === '' ? undefined : Number(e.target.value)))} />
      <FaultsAt of={wrong} />
    </label>
  )
}
