import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Label, Moderator } from '../../lib/wire'
import { actionWord, categoryName, found, fullTime, modeName, plain, share, suggestionWord, took } from '../../lib/words'
import { VerdictChip } from '../../ui/Chips'
import { CloseIcon, CopyIcon, EyeIcon, EyeOffIcon } from '../../ui/icons'
import { Hidden, Quoted } from '../../ui/Quoted'
import { Decide } from './Decide'
import type { Filter } from './filter'
import type { Row } from './store'

interface Props {
  row: Row
  me: Moderator
  shown: boolean
  onReveal: () => void
  onClose: () => void
  onDecided: (decision: 'approve' | 'reject') => void
  onEnded: () => void
  onFilter: (change: Partial<Filter>) => void
}

/** Details is everything known of one verdict, and the decision where one is due. */
export function Details({ row, me, shown, onReveal, onClose, onDecided, onEnded, onFilter }: Props) {
  const what = found(row)
  const scroll = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  // On a small screen it covers the list, so the focus goes with it.
  useEffect(() => { if (window.matchMedia('(max-width: 900px)').matches) panel.current?.focus() }, [])
  useEffect(() => { scroll.current?.scrollTo?.({ top: 0 }) }, [row.event_id])
  return (
    <aside className="details" ref={panel} tabIndex={-1} aria-label="Details of the verdict">
      <div className="details-head">
        <VerdictChip of={row} />
        <span className="muted small">{fullTime(row.at)}</span>
        <span className="grow" />
        <Button className="icon-button" aria-label="Close the details" onPress={onClose}><CloseIcon /></Button>
      </div>
      <div className="details-scroll" ref={scroll}>
        <section className="details-content">
          <div className="details-bar">
            <h2>{row.other ? 'Economy' : 'Content'}</h2>
            {!row.other && <Button className="link-button" onPress={onReveal} aria-pressed={shown}>
              {shown ? <EyeOffIcon size={14} /> : <EyeIcon size={14} />}{shown ? 'Hide' : 'Show'}<kbd>B</kbd>
            </Button>}
          </div>
          <p className="details-text">{row.other ? row.other.text : shown ? <Quoted text={row.content} lang={row.language} hits={row.hits} /> : <Hidden text={row.content} />}</p>
        </section>
        {row.case_id && <Decide key={row.case_id} row={row} me={me} onDecided={onDecided} onEnded={onEnded} />}
        {!row.other && <section>
          <h2>{row.observed ? 'Observed, not acted on' : 'Found'}</h2>
          {what.label.length === 0 ? <p className="muted">Nothing.</p> : <ul className="labels">{what.label.map((l, i) => <LabelItem key={i} label={l} />)}</ul>}
          {row.stricter === 'economy_risk' && <p className="callout">Stricter for spam: the economy’s risk score of this player is high.</p>}
          {row.degraded && <p className="callout">An engine that should have answered did not; this verdict was made without it.</p>}
        </section>}
        <section>
          <h2>{row.other ? 'Player' : 'Message'}</h2>
          <dl className="facts">
            {!row.other && <>
              <Fact name="Suggestion">{suggestionWord[row.suggestion]}</Fact>
              <Fact name="Action">{actionWord[row.action]}{row.warn ? ', player warned' : ''}</Fact>
              <Fact name="Mode">{modeName(row.mode)}</Fact>
              <Fact name="Latency">{took(row)}</Fact>
            </>}
            <Fact name="Player"><button type="button" className="fact-link" title="Only this player" onClick={() => onFilter({ player: row.player_id })}><bdi>{row.player_id}</bdi></button></Fact>
            {row.scene_id && <Fact name="Scene"><button type="button" className="fact-link" title="Only this scene" onClick={() => onFilter({ scene: row.scene_id as string })}><bdi>{row.scene_id}</bdi></button></Fact>}
            <Fact name="App"><bdi>{row.app_id}</bdi></Fact>
            {row.language && <Fact name="Language">{row.language}</Fact>}
            {row.request_id && !row.other && <Fact name="Request"><CopyId id={row.request_id} what="request id" /></Fact>}
            {row.case_id && <Fact name="Case"><CopyId id={row.case_id} what="case id" /></Fact>}
          </dl>
        </section>
      </div>
    </aside>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}

function LabelItem({ label }: { label: Label }) {
  const severity = label.severity ?? 0
  return (
    <li className="label">
      <span className="label-name">{categoryName(label.category)}{label.sub_label && <span className="muted"> · {plain(label.sub_label)}</span>}</span>
      <span className="label-confidence">{share(label.confidence)}</span>
      <span className="bar" aria-hidden="true"><span style={{ width: `${Math.round(label.confidence * 100)}%` }} /></span>
      <span className="label-facts muted small">
        {severity > 0 && <span>Severity {severity} of 4</span>}
        {label.source && <span>{plain(label.source)}</span>}
      </span>
    </li>
  )
}

function CopyId({ id, what }: { id: string; what: string }) {
  const [done, setDone] = useState<'' | 'Copied' | 'Not copied'>('')
  useEffect(() => {
    if (!done) return
    const t = setTimeout(() => setDone(''), 1500)
    return () => clearTimeout(t)
  }, [done])
  return (
    <span className="copy-id">
      <code>{id}</code>
      <Button className="icon-button tiny" aria-label={`Copy the ${what}`}
        onPress={() => { navigator.clipboard.writeText(id).then(() => setDone('Copied'), () => setDone('Not copied')) }}><CopyIcon size={14} /></Button>
      <span role="status" className="small muted">{done}</span>
    </span>
  )
}
