import type { Status } from '../lib/wire'
import { CheckIcon, WarnIcon } from '../ui/icons'

type Component = Status['components'][number]

const drivers: Record<string, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const hidden = new Set(['stream'])

/** A part's name as people say it. */
function partName(c: Component): string {
  if (c.name.startsWith('engine:')) return `${c.name.slice('engine:'.length)} engine`
  if (c.name === 'database') return drivers[c.detail?.split(':')[0] ?? ''] ?? 'Database'
  // With the embedded store, sessions and the feed end with the process: that has to be seen.
  if (c.name === 'redis') return c.detail?.startsWith('embedded') ? 'State in memory' : 'Redis'
  return c.name
}

/** StatusStrip says how the gateway's parts stand, asked every five seconds. */
export function StatusStrip({ status, unreachable }: { status: Status | null; unreachable: boolean }) {
  if (unreachable) {
    return <footer className="strip strip-bad" role="status"><WarnIcon size={14} /><span>The gateway does not answer. What stands above may be out of date.</span></footer>
  }
  if (!status) return <footer className="strip"><span className="muted">Asking for the gateway’s state…</span></footer>
  const here = status.components.filter((c) => c.state !== 'absent' && !hidden.has(c.name))
  const wrong = status.components.filter((c) => c.state === 'degraded' || c.state === 'down')
  const bad = status.degraded || !status.ready
  const why = wrong.map((c) => (c.detail ? `${partName(c)} ${c.detail}` : `${partName(c)} ${c.state}`)).join('; ')
  return (
    <footer className={bad ? 'strip strip-bad' : 'strip'}>
      <span className="strip-lead" role="status">
        {bad ? <WarnIcon size={14} /> : <CheckIcon size={14} />}
        {bad ? `${status.ready ? 'Degraded' : 'Not ready'}${why ? `: ${why}` : ''}` : 'All parts work'}
      </span>
      <span className="strip-parts">
        {here.map((c) => (
          <span key={c.name} className={`part part-${c.state}`} title={c.detail}>
            {partName(c)}{c.state !== 'ok' || c.name.startsWith('engine:') ? ` ${c.state}` : ''}
          </span>
        ))}
        <span className="part">{status.version}</span>
      </span>
    </footer>
  )
}
