import { memo } from 'react'
import { clockTime, found, millis, modeName } from '../../lib/words'
import { CategoryChips, VerdictChip } from '../../ui/Chips'
import { EyeIcon, EyeOffIcon } from '../../ui/icons'
import { Hidden, Quoted } from '../../ui/Quoted'
import { rowId } from './FeedList'
import type { Row } from './store'

interface Props {
  row: Row
  index: number
  height: number
  narrow: boolean
  chosen: boolean
  shown: boolean
  onOpen: (id: string) => void
  onReveal: (id: string) => void
}

/** FeedRow is one verdict. What the player wrote stays hidden until it is asked for. */
export const FeedRow = memo(function FeedRow({ row, index, height, narrow, chosen, shown, onOpen, onReveal }: Props) {
  const what = found(row)
  const needs = Boolean(row.case_id) && !row.decided
  // Plain elements: hundreds of rows come and go each second.
  return (
    <div id={rowId(row.event_id)} role="row" aria-rowindex={index} aria-selected={chosen} style={{ height }}
      className={`row row-${what.suggestion}${chosen ? ' row-chosen' : ''}`} onClick={() => onOpen(row.event_id)}>
      <span role="gridcell" className="cell-time">{clockTime(row.at)}</span>
      <span role="gridcell" className="cell-verdict">
        <VerdictChip of={row} />
        {needs && <span className="needs" title="Waits for a decision"><span className="sr-only">Needs a decision</span></span>}
        {row.decided && <span className="decided">{row.decided.decision === 'approve' ? 'Approved' : 'Rejected'}</span>}
      </span>
      <span role="gridcell" className="cell-content">
        <button type="button" className="reveal" tabIndex={-1} aria-pressed={shown} aria-label={shown ? 'Hide the content' : 'Show the content'}
          onClick={(e) => { e.stopPropagation(); onReveal(row.event_id) }}>
          {shown ? <EyeOffIcon size={14} /> : <EyeIcon size={14} />}
        </button>
        <span className="cell-text">{shown ? <Quoted text={row.content} lang={row.language} hits={row.hits} /> : <Hidden text={row.content} />}</span>
        {!narrow && <CategoryChips labels={what.label} max={2} />}
      </span>
      <span role="gridcell" className="cell-player" title={row.player_id}><bdi>{row.player_id}</bdi></span>
      <span role="gridcell" className="cell-scene" title={row.scene_id}><bdi>{row.scene_id || '–'}</bdi></span>
      <span role="gridcell" className="cell-mode">{modeName(row.mode)}</span>
      <span role="gridcell" className="cell-latency num">{millis(row.latency_ms)}</span>
    </div>
  )
})
