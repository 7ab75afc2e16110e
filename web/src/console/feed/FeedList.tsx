import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import { useText } from '../../i18n/text'
import { useMedia } from '../../ui/hooks'
import { FeedRow, rowId } from './FeedRow'
import type { Row } from './store'

export interface FeedListHandle { top: () => void; show: (index: number) => void }

interface Props {
  ref: Ref<FeedListHandle>
  rows: readonly Row[]
  chosen: string | null
  revealed: ReadonlySet<string>
  onOpen: (id: string) => void
  onReveal: (id: string) => void
  onAtTop: (atTop: boolean) => void
  /** One row up or down, by the arrow keys of the grid. */
  onMove: (by: 1 | -1) => void
}

/** FeedList draws only the rows in sight, however many there are. */
export function FeedList({ ref, rows, chosen, revealed, onOpen, onReveal, onAtTop, onMove }: Props) {
  const t = useText()
  const narrow = useMedia('(max-width: 760px)')
  const height = narrow ? 66 : 38
  const head = narrow ? 0 : 30
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: head,
    scrollPaddingStart: head,
    getItemKey: (i) => rows[i]?.event_id ?? i,
  })
  useEffect(() => { virtual.measure() }, [virtual, height])
  useImperativeHandle(ref, () => ({
    top: () => { box.current?.scrollTo({ top: 0 }) },
    show: (i) => virtual.scrollToIndex(i, { align: 'auto' }),
  }), [virtual])

  const items = virtual.getVirtualItems()
  const chosenHere = items.some((v) => rows[v.index]?.event_id === chosen)
  return (
    <div
      className="grid" role="grid" aria-label={t('feed.verdicts_newest')} aria-rowcount={rows.length + 1} aria-colcount={7}
      ref={box} tabIndex={0} aria-activedescendant={chosen && chosenHere ? rowId(chosen) : undefined}
      onScroll={(e) => onAtTop(e.currentTarget.scrollTop < 4)}
      onKeyDown={(e) => {
        if (e.target !== e.currentTarget || (e.key !== 'ArrowDown' && e.key !== 'ArrowUp')) return
        e.preventDefault()
        onMove(e.key === 'ArrowDown' ? 1 : -1)
      }}
    >
      <div className="grid-head" role="row" aria-rowindex={1}>
        <span role="columnheader">{t('feed.time')}</span><span role="columnheader">{t('feed.verdict')}</span><span role="columnheader">{t('feed.content')}</span>
        <span role="columnheader">{t('feed.player')}</span><span role="columnheader">{t('feed.scene')}</span><span role="columnheader">{t('feed.mode')}</span>
        <span role="columnheader" className="num">{t('feed.latency')}</span>
      </div>
      <div className="grid-all" style={{ height: virtual.getTotalSize() }} role="rowgroup">
        <div className="grid-window" style={{ transform: `translateY(${(items[0]?.start ?? head) - head}px)` }} role="presentation">
          {items.map((v) => {
            const r = rows[v.index]
            return r && (
              <FeedRow key={r.event_id} row={r} index={v.index + 2} height={height} narrow={narrow} chosen={r.event_id === chosen}
                shown={revealed.has(r.event_id)} onOpen={onOpen} onReveal={onReveal} />
            )
          })}
        </div>
      </div>
    </div>
  )
}
