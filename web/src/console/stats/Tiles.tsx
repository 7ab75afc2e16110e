import { useText } from '../../i18n/text'
import { fineShare } from '../../lib/words'
import { change, value, type Row } from './period'

interface Tile { name: string; key: string; format: (n: number) => string }

/** Tiles are the chief figures, each with its change from the period before. */
export function Tiles({ row, of }: { row: Row | undefined; of: readonly Tile[] }) {
  const t = useText()
  return (
    <dl className="tiles">
      {of.map(({ name, key, format }) => {
        const now = value(row, key)
        const before = value(row, `previous_${key}`)
        return (
          <div key={key} className="tile"><dt>{name}</dt><dd><span className="tile-value">{now === null ? '–' : format(now)}</span>
            {before !== null && <span className="small muted">{change(now, before) !== null && <><Change of={change(now, before)} /> </>}{t('stats.was', { value: format(before) })}</span>}</dd></div>
        )
      })}
    </dl>
  )
}

/** Change is a signed share: the sign says the direction, no colour does. */
export function Change({ of }: { of: number | null }) {
  if (of === null) return <>–</>
  return <>{of > 0 ? '▲ +' : of < 0 ? '▼ −' : '± '}{fineShare(Math.abs(of))}</>
}
