import { hasText, useText } from '../../i18n/text'
import { plain } from '../../lib/words'
import { Time } from '../../ui/Time'
import type { Link } from './marks'

/** Chain is who has done what with an item, each link hashing the one before. */
export function Chain({ links }: { links: readonly Link[] }) {
  const t = useText()
  const word = (action: string) => { const key = `vault.did_${action}`; return hasText(key) ? t(key) : plain(action) }
  return (
    <section aria-labelledby="chain">
      <h3 id="chain">{t('vault.chain')}</h3>
      <ol className="chain">
        {links.map((l) => (
          <li key={l.seq}>
            <span className="chain-what"><strong>{word(l.action)}</strong> <bdi>{l.actor}</bdi></span>
            <span className="muted small">{l.seq} · <Time at={l.at} full /></span>
            <Detail of={l.detail} />
            <code className="hash muted" title={l.hash}>{l.hash.slice(0, 16)}…</code>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Detail({ of }: { of: Link['detail'] }) {
  const said = Object.entries(of as Record<string, unknown>).filter(([, v]) => v !== '' && v !== null)
  if (!said.length) return null
  return <span className="small chain-detail">{said.map(([k, v]) => <span key={k}>{plain(k)}: <bdi>{typeof v === 'string' ? v : JSON.stringify(v)}</bdi></span>)}</span>
}
