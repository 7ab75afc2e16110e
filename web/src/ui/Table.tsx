import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import { useText } from '../i18n/text'
import { DownIcon, UpIcon } from './icons'

export interface Column<R> {
  key: string
  head: string
  cell: (row: R) => ReactNode
  /** What the column sorts by; without it it does not sort. */
  sort?: (row: R) => string | number
  /** Numbers stand to the right. */
  num?: boolean
  /** Its track in the grid, `minmax(0, 1fr)` where none is said. */
  width?: string
}

interface Props<R> {
  label: string
  columns: readonly Column<R>[]
  rows: readonly R[]
  rowKey: (row: R) => string
  /** Opens a row by click or Enter. */
  onOpen?: (row: R) => void
  /** The row that stands open. */
  openKey?: string | undefined
  /** The column and direction at first; rows keep their order where none is said. */
  sorted?: { by: string; down?: boolean }
  empty?: ReactNode
}

/** Above so many rows only those in sight are drawn, in a box of its own. */
const many = 80

/**
 * Table is rows and columns: sortable by the heads, moved through with the arrow
 * keys, on a narrow screen one card a row. Where rows can be opened it is a grid
 * with one stop for the Tab key.
 */
export function Table<R>({ label, columns, rows, rowKey, onOpen, openKey, sorted, empty }: Props<R>) {
  const t = useText()
  const [sort, setSort] = useState(sorted)
  const [at, setAt] = useState(-1)
  const box = useRef<HTMLDivElement>(null)
  const shown = useMemo(() => {
    const by = columns.find((c) => c.key === sort?.by)?.sort
    if (!by) return rows
    const side = sort?.down ? -1 : 1
    return [...rows].sort((a, b) => { const x = by(a); const y = by(b); return side * (typeof x === 'string' && typeof y === 'string' ? x.localeCompare(y) : x < y ? -1 : x > y ? 1 : 0) })
  }, [rows, columns, sort])
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => 40, overscan: 12, enabled: shown.length > many, getItemKey: (i) => rowKey(shown[i] as R) })
  const far = shown.length > many
  const items = far ? virtual.getVirtualItems() : shown.map((_, index) => ({ index, start: 0 }))
  const tracks = { gridTemplateColumns: columns.map((c) => c.width ?? 'minmax(0, 1fr)').join(' ') }

  const move = (to: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, to))
    setAt(next)
    if (far) virtual.scrollToIndex(next)
    else box.current?.querySelector(`[data-index="${next}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (e: React.KeyboardEvent) => {
    if (!onOpen || e.target !== e.currentTarget) return
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1, PageDown: at + 10, PageUp: at - 10 }
    if (e.key in to) { e.preventDefault(); move(to[e.key] as number) }
    if (e.key === 'Enter' && shown[at]) { e.preventDefault(); onOpen(shown[at] as R) }
  }
  if (!shown.length) return <>{empty ?? <p className="muted table-empty">{t('common.nothing')}</p>}</>

  const row = (r: R, index: number) => (
    <div key={rowKey(r)} id={`${label}-${rowKey(r)}`} role="row" aria-rowindex={index + 2} data-index={index} ref={far ? virtual.measureElement : undefined}
      aria-selected={onOpen ? rowKey(r) === openKey : undefined} style={tracks}
      className={`table-row${onOpen ? ' table-opens' : ''}${onOpen && index === at ? ' table-at' : ''}${rowKey(r) === openKey ? ' table-open' : ''}`}
      onClick={onOpen && ((e) => { if (!(e.target as Element).closest('a, button, input, select')) { setAt(index); onOpen(r) } })}>
      {columns.map((c) => <span key={c.key} role={onOpen ? 'gridcell' : 'cell'} data-head={c.head} className={c.num ? 'num' : undefined}>{c.cell(r)}</span>)}
    </div>
  )
  const now = shown[at]
  return (
    <div className={far ? 'table table-far' : 'table'} role={onOpen ? 'grid' : 'table'} aria-label={label} aria-rowcount={shown.length + 1} ref={box}
      tabIndex={onOpen || far ? 0 : undefined} onKeyDown={onKey} aria-activedescendant={onOpen && now ? `${label}-${rowKey(now)}` : undefined}>
      <div role="row" aria-rowindex={1} className="table-head" style={tracks}>
        {columns.map((c) => {
          const on = sort?.by === c.key
          return (
            <span key={c.key} role="columnheader" className={c.num ? 'num' : undefined} aria-sort={c.sort ? (on ? (sort.down ? 'descending' : 'ascending') : 'none') : undefined}>
              {c.sort
                ? <button type="button" className="table-sort" onClick={() => setSort({ by: c.key, down: on ? !sort.down : Boolean(c.num) })}>{c.head}{on && (sort.down ? <DownIcon size={12} /> : <UpIcon size={12} />)}</button>
                : c.head}
            </span>
          )
        })}
      </div>
      {far
        ? <div className="table-all" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
            <div className="table-window" role="presentation" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>{items.map((v) => row(shown[v.index] as R, v.index))}</div>
          </div>
        : <div role="rowgroup">{shown.map(row)}</div>}
    </div>
  )
}
