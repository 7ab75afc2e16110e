import { useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react'
import { Button } from 'react-aria-components'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useText } from '../i18n/text'
import { csv, download } from '../lib/csv'
import { prefs } from '../lib/prefs'
import { useStore } from '../lib/store'
import { axisTimes, dayTime, fullTime, number } from '../lib/words'
import { useMedia } from './hooks'
import { ChartIcon, DownloadIcon, TableIcon } from './icons'
import { Table } from './Table'

export type Tone = 'accent' | 'pass' | 'review' | 'block' | 'mask' | 'hold' | 'muted'
export interface Series { label: string; values: readonly (number | null)[]; tone?: Tone }
/** A moment to point out, such as the beginning of an anomaly. */
export interface ChartMark { at: string; text: string }

interface Props {
  label: string
  /** RFC 3339 times, rising, one for each value. */
  times: readonly string[]
  series: readonly Series[]
  kind?: 'line' | 'bars'
  marks?: readonly ChartMark[]
  /** How a value is written. */
  format?: (n: number) => string
  /** The file's name without `.csv`. */
  file: string
  height?: number
  /** The time that is drawn, where the values may not reach over all of it. */
  over?: { from: string; to: string }
}

const tones: Tone[] = ['accent', 'block', 'review', 'hold', 'mask', 'pass', 'muted']
/** Lines differ by their dashes too: never by colour alone. */
const dashes: number[][] = [[], [6, 3], [2, 3], [10, 3, 2, 3], [1, 2], [12, 4], [4, 4]]

/** Chart is lines or bars over time, and at a press their table and their CSV. */
export function Chart({ label, times, series, kind = 'line', marks = [], format = number, file, height = 220, over }: Props) {
  const t = useText()
  const heads = [t('common.time'), ...series.map((s) => s.label), ...(marks.length ? [t('common.note')] : [])]
  const noteAt = (at: string, i: number) => marks.filter((m) => m.at >= at && (i + 1 >= times.length || m.at < (times[i + 1] as string))).map((m) => m.text).join('; ')
  const rows = () => times.map((at, i) => [at, ...series.map((s) => s.values[i] ?? null), ...(marks.length ? [noteAt(at, i)] : [])])
  return (
    <Figure label={label} onCSV={() => download(`${file}.csv`, csv(heads, rows()))}
      table={
        <Table label={label} rowKey={(r) => r.at} rows={times.map((at, i) => ({ at, i }))} columns={[
          { key: 'at', head: t('common.time'), cell: (r) => fullTime(r.at), sort: (r) => r.at, width: 'minmax(130px, 1fr)' },
          ...series.map((s, k) => ({ key: String(k), head: s.label, num: true, cell: (r: { i: number }) => { const v = s.values[r.i]; return v === null || v === undefined ? '–' : format(v) }, sort: (r: { i: number }) => s.values[r.i] ?? -1 })),
          ...(marks.length ? [{ key: 'note', head: t('common.note'), cell: (r: { at: string; i: number }) => noteAt(r.at, r.i) }] : []),
        ]} />
      }>
      <ul className="legend" aria-hidden="true">
        {series.map((s, i) => <li key={s.label}><svg width="22" height="8"><line x1="0" x2="22" y1="4" y2="4" className={`stroke-${s.tone ?? tones[i % tones.length]}`} strokeWidth={kind === 'bars' ? 8 : 2} strokeDasharray={kind === 'bars' ? undefined : dashes[i % dashes.length]?.join(' ')} /></svg>{s.label}</li>)}
      </ul>
      <Plot times={times} series={series} kind={kind} marks={marks} format={format} height={height} from={over?.from ?? ''} to={over?.to ?? ''} />
      {marks.length > 0 && <ul className="chart-marks">{marks.map((m) => <li key={m.at + m.text}><span className="chart-mark" aria-hidden="true">▲</span> <time dateTime={m.at}>{dayTime(m.at)}</time> {m.text}</li>)}</ul>}
    </Figure>
  )
}

/** Figure is a picture of numbers with the way to its table and its file. */
export function Figure({ label, table, onCSV, children }: { label: string; table: ReactNode; onCSV: () => void; children: ReactNode }) {
  const t = useText()
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  return (
    <figure className="figure" aria-labelledby={id}>
      <figcaption className="figure-head">
        <h3 id={id}>{label}</h3>
        <span className="grow" />
        <Button className="link-button small" aria-pressed={asTable} onPress={() => setAsTable(!asTable)}>{asTable ? <ChartIcon size={14} /> : <TableIcon size={14} />}{t(asTable ? 'common.as_chart' : 'common.as_table')}<span className="sr-only">: {label}</span></Button>
        <Button className="link-button small" onPress={onCSV}><DownloadIcon size={14} />CSV<span className="sr-only">: {label}</span></Button>
      </figcaption>
      {asTable ? <div className="figure-table">{table}</div> : <div className="figure-picture">{children}</div>}
    </figure>
  )
}

type PlotProps = Required<Pick<Props, 'times' | 'series' | 'kind' | 'marks' | 'format' | 'height'>> & { from: string; to: string }

function Plot({ times, series, kind, marks, format, height, from, to }: PlotProps) {
  const t = useText()
  const host = useRef<HTMLDivElement>(null)
  const { theme } = useStore(prefs)
  const dark = useMedia('(prefers-color-scheme: dark)')
  const [said, setSaid] = useState('')
  const data = useMemo(() => [times.map((x) => +new Date(x) / 1000), ...series.map((s) => [...s.values])] as uPlot.AlignedData, [times, series])
  const formatNow = useRef(format)
  useEffect(() => { formatNow.current = format })
  useEffect(() => {
    const el = host.current
    if (!el) return
    const plot = new uPlot(options(el, { series, kind, marks, format: (n) => formatNow.current(n), height, over: from && to ? [+new Date(from) / 1000, +new Date(to) / 1000] : null, onPoint: setSaid }), data, el)
    const seen = new ResizeObserver(() => { if (el.clientWidth !== plot.width) plot.setSize({ width: el.clientWidth, height }) })
    seen.observe(el)
    return () => { seen.disconnect(); plot.destroy() }
  }, [data, series, kind, marks, height, from, to, theme, dark])
  const last = series.map((s) => { const v = s.values.findLast((x) => x !== null); return v === undefined || v === null ? '' : `${s.label} ${format(v)}` }).filter(Boolean).join(', ')
  return (
    <>
      <div className="plot" ref={host} role="img" aria-label={last ? t('common.chart_latest', { values: last }) : t('common.chart_empty')} />
      <p className="plot-said muted small" aria-hidden="true">{said || '\u00a0'}</p>
    </>
  )
}

const halfDay = 43_200 // s
/** The day around a moment: a single point has no span of its own, and uPlot would give it years. */
const around = (s: number): [number, number] => [s - halfDay, s + halfDay]

/** Room for the half of the last label of the time axis that stands right of its tick, in CSS px: the tick may be at the very end. */
function halfOfLast(u: uPlot, font: string): number {
  const end = (u.scales['x']?.max ?? Date.now() / 1000) * 1000
  u.ctx.save()
  u.ctx.font = font
  const widest = Math.max(...[dayTime(end), ...axisTimes([end])].map((label) => u.ctx.measureText(label).width))
  u.ctx.restore()
  return Math.ceil(widest / 2) + 4
}

interface Drawn { series: readonly Series[]; kind: 'line' | 'bars'; marks: readonly ChartMark[]; format: (n: number) => string; height: number; over: [number, number] | null; onPoint: (said: string) => void }

function options(el: HTMLElement, o: Drawn): uPlot.Options {
  const style = getComputedStyle(el)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#888'
  const font = `12px ${style.fontFamily}`
  const axis: uPlot.Axis = { stroke: colour('muted'), font, grid: { stroke: colour('line'), width: 1 }, ticks: { stroke: colour('line'), width: 1 } }
  const bars = o.kind === 'bars' ? { paths: uPlot.paths.bars?.({ size: [0.7, 40] }) } : {}
  return {
    width: Math.max(200, el.clientWidth), height: o.height, legend: { show: false }, padding: [null, (u) => halfOfLast(u, font), null, null], cursor: { drag: { x: false, y: false } },
    // Of one point alone uPlot would show years.
    scales: { x: { time: true, range: (u, min, max) => o.over ?? (u.data[0].length > 1 && min < max ? [min, max] : around(u.data[0][0] ?? min ?? 0)) }, y: { range: (_u, min, max) => [Math.min(0, min), max <= 0 ? 1 : max * 1.08] } },
    axes: [
      { ...axis, values: (_u, splits) => axisTimes(splits.map((s) => s * 1000)), space: 110, size: 34 },
      { ...axis, values: (_u, splits) => splits.map((s) => o.format(s)), size: 64 },
    ],
    series: [{}, ...o.series.map((s, i) => {
      const c = colour(s.tone ?? (tones[i % tones.length] as Tone))
      return { label: s.label, stroke: c, width: 2, dash: o.kind === 'bars' ? [] : dashes[i % dashes.length] ?? [], points: { show: s.values.length < 3 }, ...(o.kind === 'bars' ? { fill: c, ...bars } : {}) } as uPlot.Series
    })],
    hooks: {
      setCursor: [(u) => {
        const i = u.cursor.idx
        if (i === null || i === undefined) return o.onPoint('')
        o.onPoint([fullTime((u.data[0][i] ?? 0) * 1000), ...o.series.map((s) => { const v = s.values[i]; return `${s.label} ${v === null || v === undefined ? '–' : o.format(v)}` })].join(' · '))
      }],
      draw: [(u) => {
        for (const m of o.marks) {
          const x = u.valToPos(+new Date(m.at) / 1000, 'x', true)
          if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue
          u.ctx.fillStyle = u.ctx.strokeStyle = colour('review')
          u.ctx.fillRect(x, u.bbox.top, 1.5, u.bbox.height)
          u.ctx.beginPath()
          u.ctx.moveTo(x, u.bbox.top + u.bbox.height - 9)
          u.ctx.lineTo(x - 6, u.bbox.top + u.bbox.height)
          u.ctx.lineTo(x + 6, u.bbox.top + u.bbox.height)
          u.ctx.fill()
        }
      }],
    },
  }
}

interface BarRow { name: string; values: readonly (number | null)[] }

/** Bars compares named things: a bar for each value, the number beside it. */
export function Bars({ label, rows, series, format = number, file }: { label: string; rows: readonly BarRow[]; series: readonly { label: string; tone?: Tone }[]; format?: (n: number) => string; file: string }) {
  const t = useText()
  const top = Math.max(1e-9, ...rows.flatMap((r) => r.values.map((v) => v ?? 0)))
  const say = (v: number | null | undefined) => (v === null || v === undefined ? '–' : format(v))
  return (
    <Figure label={label} onCSV={() => download(`${file}.csv`, csv([t('common.name'), ...series.map((s) => s.label)], rows.map((r) => [r.name, ...r.values])))}
      table={<Table label={label} rows={rows} rowKey={(r) => r.name} columns={[{ key: 'name', head: t('common.name'), cell: (r) => <bdi>{r.name}</bdi>, sort: (r) => r.name },
        ...series.map((s, i) => ({ key: String(i), head: s.label, num: true, cell: (r: BarRow) => say(r.values[i]), sort: (r: BarRow) => r.values[i] ?? -1 }))]} />}>
      {series.length > 1 && <ul className="legend" aria-hidden="true">{series.map((s, i) => <li key={s.label}><svg width="12" height="12"><rect width="12" height="12" rx="2" className={`fill-${s.tone ?? tones[i % tones.length]}`} /></svg>{s.label}</li>)}</ul>}
      <ul className="bars">
        {rows.map((r) => (
          <li key={r.name} className="bars-row"><span className="bars-name" title={r.name}><bdi>{r.name}</bdi></span>
            <span className="bars-set">{series.map((s, i) => (
              <span key={s.label} className="bars-one"><span className={`bars-bar fill-${s.tone ?? tones[i % tones.length]}`} style={{ width: `${Math.max(0, Math.min(100, ((r.values[i] ?? 0) / top) * 100))}%` }} /><span className="bars-value">{series.length > 1 && <span className="sr-only">{s.label} </span>}{say(r.values[i])}</span></span>
            ))}</span>
          </li>
        ))}
      </ul>
    </Figure>
  )
}
