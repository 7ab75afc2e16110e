import type { Status } from '../lib/wire'
import { CheckIcon, WarnIcon } from '../ui/icons'

const store: Record<string, string> = { embedded: 'State in memory', single: 'Redis', sentinel: 'Redis Sentinel', cluster: 'Redis Cluster' }
const driver: Record<string, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const engineWord: Record<string, string> = { ok: 'ok', degraded: 'degraded', down: 'down' }

/** StatusStrip says how the gateway's parts stand, asked every five seconds. */
export function StatusStrip({ status, unreachable }: { status: Status | null; unreachable: boolean }) {
  if (unreachable) {
    return <footer className="strip strip-bad" role="status"><WarnIcon size={14} /><span>The gateway does not answer. What stands above may be out of date.</span></footer>
  }
  if (!status) return <footer className="strip"><span className="muted">Asking for the gateway’s state…</span></footer>
  const reasons = status.reasons ?? []
  return (
    <footer className={status.degraded ? 'strip strip-bad' : 'strip'}>
      <span className="strip-lead" role="status">
        {status.degraded ? <WarnIcon size={14} /> : <CheckIcon size={14} />}
        {status.degraded ? `Degraded${reasons.length ? `: ${reasons.join('; ')}` : ''}` : 'All parts work'}
      </span>
      <span className="strip-parts">
        {status.engines.map((e) => (
          <span key={e.name} className={`part part-${e.state}`} title={e.detail}>{e.name} engine {engineWord[e.state] ?? e.state}</span>
        ))}
        <span className="part" title={status.redis_mode === 'embedded' ? 'Sessions and the live feed are kept in this process and are lost when it restarts. Decisions are on disk.' : undefined}>
          {store[status.redis_mode] ?? status.redis_mode}
        </span>
        <span className="part">{driver[status.driver] ?? status.driver}</span>
        <span className="part muted">{status.version}</span>
      </span>
    </footer>
  )
}
