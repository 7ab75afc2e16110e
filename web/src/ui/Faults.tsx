import { useText } from '../i18n/text'
import type { Fault } from '../lib/layer'
import { WarnIcon } from './icons'

/** FaultsAt tells what is wrong with one field, below it. */
export function FaultsAt({ of, id }: { of: readonly Fault[]; id?: string }) {
  if (!of.length) return null
  return <span className="fault" id={id} role="alert"><WarnIcon size={13} /> {of.map((f) => f.reason).join('; ')}</span>
}

/** FaultList tells every fault at once, with its place, above the form. */
export function FaultList({ of }: { of: readonly Fault[] }) {
  const t = useText()
  if (!of.length) return null
  return (
    <div className="callout warn fault-list" role="alert">
      <p>{t('policies.faults', { n: of.length })}</p>
      <ul>{of.map((f) => <li key={f.pointer + f.reason}><code>{f.pointer || '/'}</code> {f.reason}</li>)}</ul>
    </div>
  )
}
