import { memo } from 'react'
import { text, useText } from '../../i18n/text'
import { clockTime, found, modeName, plain, took } from '../../lib/words'
import { CategoryChips, VerdictChip } from '../../ui/Chips'
import { EyeIcon, EyeOffIcon } from '../../ui/icons'
import { Hidden, Quoted } from '../../ui/Quoted'
import { Happened } from './Happened'
import type { Row } from './store'

interface CellProps {
  row: Row
  narrow: boolean
  shown: boolean
  onReveal: (id: string) => void
}
interface Props extends CellProps {
  index: number
  height: number
  chosen: boolean
  onOpen: (id: string) => void
}

export const decidedWord = (d: NonNullable<Row['decided']>) =>
  text(d.decision === 'approve' ? 'feed.approved' : d.decision === 'reject' ? 'feed.rejected' : 'feed.decided')

export const rowId = (eventId: string) => `row-${eventId}`

/**
 * FeedRow is one verdict. Its place changes with every event that comes, its
 * cells don't: they are drawn once.
 */
export function FeedRow({ row, index, height, chosen, onOpen, ...cells }: Props) {
  return (
    <div id={rowId(row.event_id)} role="row" aria-rowindex={index} aria-selected={chosen} style={{ height }}
      className={chosen ? 'row row-chosen' : 'row'} onClick={() => onOpen(row.event_id)}>
      <Cells row={row} {...cells} />
    </div>
  )
}

/** What the player wrote stays hidden until it is asked for. Plain elements: hundreds of rows come and go each second. */
const Cells = memo(function Cells({ row, narrow, shown, onReveal }: CellProps) {
  const t = useText()
  const what = found(row)
  const needs = Boolean(row.case_id) && !row.decided
  return (
    <>
      <span role="gridcell" className="cell-time">{clockTime(row.at)}</span>
      <span role="gridcell" className="cell-verdict">
        <VerdictChip of={row} />
        {needs && <span className="needs" title={t('feed.needs_title')}><span className="sr-only">{t('feed.needs')}</span></span>}
        {row.decided && <span className="decided">{decidedWord(row.decided)}</span>}
      </span>
      <span role="gridcell" className="cell-content">
        {!row.other && <button type="button" className="reveal" tabIndex={-1} aria-pressed={shown} aria-label={t(shown ? 'feed.hide_content' : 'feed.show_content')}
          onClick={(e) => { e.stopPropagation(); onReveal(row.event_id) }}>
          {shown ? <EyeOffIcon size={14} /> : <EyeIcon size={14} />}
        </button>}
        <span className="cell-text">{row.other ? <Happened of={row.other} app={row.app_id} /> : row.partial ? <span className="muted">{t('feed.before_open')}</span> : shown ? <Quoted text={row.content} lang={row.language} hits={row.hits} /> : row.content === '' && row.kind !== 'text' ? <span className="muted">{plain(row.kind)}</span> : <Hidden text={row.content} />}</span>
        {!narrow && <CategoryChips labels={what.label} max={2} />}
      </span>
      <span role="gridcell" className="cell-player" title={row.player_id}><bdi>{row.player_id}</bdi></span>
      <span role="gridcell" className="cell-scene" title={row.scene_id}><bdi>{row.scene_id || '–'}</bdi></span>
      <span role="gridcell" className="cell-mode">{row.partial || row.other ? '–' : modeName(row.mode)}</span>
      <span role="gridcell" className="cell-latency num">{row.partial || row.other ? '–' : took(row)}</span>
    </>
  )
})
