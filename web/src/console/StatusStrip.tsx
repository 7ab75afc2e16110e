import { hasText, text, useText } from '../i18n/text'
import type { Status } from '../lib/wire'
import { CheckIcon, WarnIcon } from '../ui/icons'

type Component = Status['components'][number]

const drivers: Record<string, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const hidden = new Set(['stream'])

function engineName(kind: string): string {
  const key = `shell.engine_${kind}`
  return hasText(key) ? text(key) : text('shell.part_engine', { name: kind })
}

/** A part's name as people say it. */
export function partName(c: Component): string {
  if (c.name.startsWith('engine:')) return engineName(c.name.slice('engine:'.length))
  if (c.name === 'database') return drivers[c.detail?.split(':')[0] ?? ''] ?? text('shell.part_database')
  // With the embedded store, sessions and the feed end with the process: that has to be seen.
  if (c.name === 'redis') return c.detail?.startsWith('embedded') ? text('shell.part_memory') : 'Redis'
  const key = `shell.part_${c.name}`
  return hasText(key) ? text(key) : c.name
}

export const stateWord = (state: string) => { const key = `shell.state_${state}`; return hasText(key) ? text(key) : state }

/** StatusStrip says how the gateway's parts stand, asked every five seconds. */
export function StatusStrip({ status, unreachable }: { status: Status | null; unreachable: boolean }) {
  const t = useText()
  if (unreachable) {
    return <footer className="strip strip-bad" role="status"><WarnIcon size={14} /><span>{t('shell.no_answer')}</span></footer>
  }
  if (!status) return <footer className="strip"><span className="muted">{t('shell.asking_state')}</span></footer>
  const here = status.components.filter((c) => c.state !== 'absent' && !hidden.has(c.name))
  const wrong = status.components.filter((c) => c.state === 'degraded' || c.state === 'down')
  const bad = status.degraded || !status.ready
  const why = wrong.map((c) => (c.detail ? `${partName(c)} ${c.detail}` : `${partName(c)} ${stateWord(c.state)}`)).join('; ')
  return (
    <footer className={bad ? 'strip strip-bad' : 'strip'}>
      <span className="strip-lead" role="status">
        {bad ? <WarnIcon size={14} /> : <CheckIcon size={14} />}
        {bad ? `${t(status.ready ? 'shell.degraded' : 'shell.not_ready')}${why ? `: ${why}` : ''}` : t(wrong.length ? 'shell.work_in_part' : 'shell.all_work')}
      </span>
      <span className="strip-parts">
        {here.map((c) => (
          <span key={c.name} className={`part part-${c.state}`} title={c.detail}>
            {partName(c)}{c.state !== 'ok' || c.name.startsWith('engine:') ? ` ${stateWord(c.state)}` : ''}
          </span>
        ))}
        <span className="part">{status.version}</span>
      </span>
    </footer>
  )
}
