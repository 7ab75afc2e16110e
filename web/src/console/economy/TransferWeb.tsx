import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import type { components } from '../../lib/api.gen'
import { csv, download } from '../../lib/csv'
import { layout, neighbour, type Way } from '../../lib/web'
import { fullTime, number } from '../../lib/words'
import { Factors } from '../../ui/Factors'
import { useMedia } from '../../ui/hooks'
import { Figure } from '../../ui/Chart'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { goTo, placeOf } from '../route'
import { RiskChip } from '../../ui/RiskChip'
import { LedgerLink } from './parts'

type Web = components['schemas']['TransferWeb']
type Knot = Web['players'][number]

const days = (n: number) => (n >= 100 ? number(Math.round(n)) : n.toFixed(1))

/** TransferWeb is who gave what to whom: a picture that the arrow keys walk through, its table and its file. */
export function TransferWeb({ web, app, onBan }: { web: Web; app: string; onBan?: ((players: readonly string[]) => void) | undefined }) {
  const t = useText()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [at, setAt] = useState(web.player_id)
  const here = web.players.find((p) => p.player_id === at) ?? web.players[0]
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((x) => x !== id) : [...chosen, id])
  return (
    <>
      <Figure label={t('economy.web_figure', { n: web.players.length, gifts: web.gifts.length })}
        onCSV={() => download(`transfers-${web.player_id}.csv`, csv(['from', 'to', 'gave_days', 'free_days', 'times', 'first', 'last'], web.gifts.map((g) => [g.from, g.to, g.gave, g.free, g.times, g.first_at, g.last_at])))}
        table={<Gifts of={web} />}>
        <Picture web={web} at={here?.player_id ?? ''} chosen={chosen} onAt={setAt} onToggle={toggle} />
      </Figure>
      {web.left_out > 0 && <p className="muted small">{t('economy.left_out', { n: web.left_out })}</p>}
      {here && (
        <div className="web-here" aria-live="polite">
          <LedgerLink id={here.player_id} /> <RiskChip score={here.risk_score} level={here.risk_level} /> {here.banned && <span className="chip chip-block">{t('economy.banned_as', { kind: t(`economy.ban_${here.banned}`) })}</span>}
          <Between of={web} id={here.player_id} /> <Factors of={here.risk_factors} app={app} />
        </div>
      )}
      {onBan && (
        <div className="row-of">
          <label className="check small"><input type="checkbox" checked={here ? chosen.includes(here.player_id) : false} onChange={() => here && toggle(here.player_id)} /><span>{t('economy.choose')}<span className="sr-only">: {here?.player_id}</span></span></label>
          <Button className="button small" onPress={() => setChosen(web.players.filter((p) => (p.risk_level === 'high' || p.risk_level === 'critical') && !p.banned).map((p) => p.player_id))}>{t('economy.choose_risky')}</Button>
          {chosen.length > 0 && <Button className="button small" onPress={() => setChosen([])}>{t('economy.choose_none')}</Button>}
          <Button className="button danger small" isDisabled={!chosen.length} onPress={() => onBan(chosen)}>{t('economy.ban_chosen', { n: chosen.length })}</Button>
        </div>
      )}
    </>
  )
}

/** Between says what one player gave and got within the web. */
function Between({ of, id }: { of: Web; id: string }) {
  const t = useText()
  const gave = of.gifts.filter((g) => g.from === id).reduce((s, g) => s + g.gave, 0)
  const got = of.gifts.filter((g) => g.to === id).reduce((s, g) => s + g.gave, 0)
  return <span className="muted small">{t('economy.gave_got', { gave: days(gave), got: days(got) })}</span>
}

function Gifts({ of }: { of: Web }) {
  const t = useText()
  return <Table label={t('economy.web')} rows={of.gifts} rowKey={(g) => `${g.from}→${g.to}`} sorted={{ by: 'gave', down: true }} columns={[
    { key: 'from', head: t('economy.giver'), cell: (g) => <LedgerLink id={g.from} />, sort: (g) => g.from },
    { key: 'to', head: t('economy.taker'), cell: (g) => <LedgerLink id={g.to} />, sort: (g) => g.to },
    { key: 'gave', head: t('economy.gave'), num: true, cell: (g) => days(g.gave), sort: (g) => g.gave },
    { key: 'free', head: t('economy.free'), num: true, cell: (g) => days(g.free), sort: (g) => g.free },
    { key: 'times', head: t('economy.times'), num: true, cell: (g) => number(g.times), sort: (g) => g.times },
    { key: 'last', head: t('economy.last'), cell: (g) => <Time at={g.last_at} />, sort: (g) => g.last_at },
  ]} />
}

const pad = 46

/** Picture draws the web. Nothing is told by colour alone: size and number are the risk, a square is banned, a ring is chosen, dashes are fair deals. */
function Picture({ web, at, chosen, onAt, onToggle }: { web: Web; at: string; chosen: readonly string[]; onAt: (id: string) => void; onToggle: (id: string) => void }) {
  const t = useText()
  const narrow = useMedia('(max-width: 760px)')
  const [zoom, setZoom] = useState(1)
  const nodes = useRef(new Map<string, SVGGElement>())
  const box = useRef<HTMLDivElement>(null)
  const spots = useMemo(() => layout(web.players, web.gifts), [web])
  const n = web.players.length
  // Many players need room: the picture grows with them and scrolls where it doesn't fit.
  const width = (narrow ? Math.max(340, 90 * Math.sqrt(n)) : Math.max(720, 100 * Math.sqrt(n))) * zoom
  const height = width * (narrow ? 1 : 0.6)
  const place = (id: string) => { const s = spots.get(id) ?? { x: 0.5, y: 0.5 }; return { x: pad + s.x * (width - 2 * pad), y: pad / 2 + s.y * (height - 1.5 * pad) } }
  // Where it is wider than its box, the player whose web it is stands in the middle of what is seen.
  useLayoutEffect(() => {
    const el = box.current
    const s = spots.get(web.player_id)
    if (!el || !s) return
    el.scrollLeft = pad + s.x * (width - 2 * pad) - el.clientWidth / 2
    el.scrollTop = pad / 2 + s.y * (height - 1.5 * pad) - el.clientHeight / 2
  }, [spots, web.player_id, width, height])
  const most = Math.max(1e-9, ...web.gifts.map((g) => g.gave))
  const near = new Set(web.gifts.flatMap((g) => (g.from === at ? [g.to] : g.to === at ? [g.from] : [])))
  const go = (id: string) => { onAt(id); nodes.current.get(id)?.focus() }
  const onKey = (e: React.KeyboardEvent, p: Knot) => {
    if (e.key.startsWith('Arrow')) { e.preventDefault(); go(neighbour(spots, p.player_id, e.key as Way)) }
    if (e.key === 'Home') { e.preventDefault(); go(web.player_id) }
    if (e.key === ' ') { e.preventDefault(); onToggle(p.player_id) }
    if (e.key === 'Enter') goTo(placeOf(['economy', 'player', p.player_id]))
  }
  const label = (p: Knot) => t('economy.knot', { player: p.player_id, score: p.risk_score, level: t(`economy.level_${p.risk_level}`), banned: p.banned ? 'yes' : 'no', chosen: chosen.includes(p.player_id) ? 'yes' : 'no' })
  const radius = (p: Knot) => (n > 80 ? 6 : 8) + p.risk_score / (n > 80 ? 16 : 11)
  return (
    <>
      <div className="row-of web-tools">
        <ul className="legend" aria-hidden="true"><li><svg width="14" height="14"><circle cx="7" cy="7" r="5" className="web-knot" /></svg>{t('economy.legend_player')}</li><li><svg width="14" height="14"><rect x="2" y="2" width="10" height="10" className="web-knot" /></svg>{t('economy.legend_banned')}</li><li><svg width="26" height="8"><line x1="0" x2="26" y1="4" y2="4" className="web-gift" strokeWidth="3" /></svg>{t('economy.legend_gift')}</li><li><svg width="26" height="8"><line x1="0" x2="26" y1="4" y2="4" className="web-gift web-fair" strokeWidth="2" /></svg>{t('economy.legend_fair')}</li></ul>
        <span className="grow" />
        <Button className="button small" aria-label={t('economy.zoom_out')} isDisabled={zoom <= 0.5} onPress={() => setZoom(zoom / 1.4)}>−</Button>
        <Button className="button small" aria-label={t('economy.zoom_in')} isDisabled={zoom >= 4} onPress={() => setZoom(zoom * 1.4)}>+</Button>
      </div>
      <div className="web-box" ref={box} tabIndex={-1}>
        <svg className={n > 80 ? 'web web-many' : 'web'} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={t('economy.web_help')}>
          <defs><marker id="web-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z" className="web-head" /></marker></defs>
          <g aria-hidden="true">
            {web.gifts.map((g) => {
              const a = place(g.from)
              const b = place(g.to)
              const to = web.players.find((p) => p.player_id === g.to)
              const far = Math.max(1, Math.hypot(b.x - a.x, b.y - a.y))
              const r = (to ? radius(to) : 8) + 3
              // A bend keeps what goes and what comes back apart.
              const mx = (a.x + b.x) / 2 - ((b.y - a.y) / far) * 10
              const my = (a.y + b.y) / 2 + ((b.x - a.x) / far) * 10
              const ex = b.x - ((b.x - mx) / Math.max(1, Math.hypot(b.x - mx, b.y - my))) * r
              const ey = b.y - ((b.y - my) / Math.max(1, Math.hypot(b.x - mx, b.y - my))) * r
              const on = g.from === at || g.to === at
              return <path key={`${g.from}→${g.to}`} d={`M${a.x} ${a.y}Q${mx} ${my} ${ex} ${ey}`} className={`web-gift${g.free < g.gave / 2 ? ' web-fair' : ''}${on ? ' web-on' : ''}`} strokeWidth={1 + 4 * Math.sqrt(g.gave / most)} markerEnd="url(#web-head)"><title>{`${g.from} → ${g.to}: ${days(g.gave)} · ${fullTime(g.last_at)}`}</title></path>
            })}
          </g>
          {web.players.map((p) => {
            const { x, y } = place(p.player_id)
            const r = radius(p)
            const on = p.player_id === at
            return (
              <g key={p.player_id} ref={(el) => { if (el) nodes.current.set(p.player_id, el); else nodes.current.delete(p.player_id) }} transform={`translate(${x} ${y})`} role="button" tabIndex={on ? 0 : -1} aria-label={label(p)} aria-pressed={chosen.includes(p.player_id)}
                className={`web-node web-${p.risk_level}${on ? ' web-at' : ''}`} onClick={() => go(p.player_id)} onDoubleClick={() => goTo(placeOf(['economy', 'player', p.player_id]))} onFocus={() => onAt(p.player_id)} onKeyDown={(e) => onKey(e, p)}>
                <circle r={Math.max(r, 12)} className="web-touch" />
                {chosen.includes(p.player_id) && <circle r={r + 5} className="web-chosen" />}
                {p.banned ? <rect x={-r} y={-r} width={2 * r} height={2 * r} rx="2" className="web-knot" /> : <circle r={r} className="web-knot" />}
              </g>
            )
          })}
          <g aria-hidden="true">
            {web.players.map((p) => {
              const { x, y } = place(p.player_id)
              const r = radius(p)
              const named = p.player_id === at || near.has(p.player_id) || p.hops === 0 || n <= 60 || p.risk_score >= 75
              return (
                <g key={p.player_id} transform={`translate(${x} ${y})`} className={`web-${p.risk_level}`}>
                  {p.risk_score >= 30 && r >= 9 && <text className="web-score" dy="3.5">{p.risk_score}</text>}
                  {named && <text className="web-name" y={r + 13}>{short(p.player_id)}</text>}
                </g>
              )
            })}
          </g>
        </svg>
      </div>
    </>
  )
}

const short = (id: string) => ([...id].length > 14 ? `${[...id].slice(0, 13).join('')}…` : id)
