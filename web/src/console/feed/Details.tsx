import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import type { Label, Moderator } from '../../lib/wire'
import { actionName, categoryName, found, fullTime, modeName, plain, share, suggestionName, took } from '../../lib/words'
import { VerdictChip } from '../../ui/Chips'
import { Combined, combinedOf, Stricter } from '../../ui/Combined'
import { CloseIcon, CopyIcon, EyeIcon, EyeOffIcon } from '../../ui/icons'
import { CaseLink } from '../../ui/PlayerLink'
import { Hidden, Quoted } from '../../ui/Quoted'
import { keyCap, keyOf } from '../actions'
import { placeOf } from '../route'
import { Decide } from './Decide'
import type { Filter } from './filter'
import { Happened } from './Happened'
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
  const t = useText()
  const what = found(row)
  const scroll = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  // On a small screen it covers the list, so the focus goes with it.
  useEffect(() => { if (window.matchMedia('(max-width: 900px)').matches) panel.current?.focus() }, [])
  useEffect(() => { scroll.current?.scrollTo?.({ top: 0 }) }, [row.event_id])
  return (
    <aside className="details" ref={panel} tabIndex={-1} aria-label={t('feed.details')}>
      <div className="details-head">
        <VerdictChip of={row} />
        <span className="muted small">{fullTime(row.at)}</span>
        <span className="grow" />
        <Button className="icon-button" aria-label={t('feed.close_details')} onPress={onClose}><CloseIcon /></Button>
      </div>
      <div className="details-scroll" ref={scroll}>
        <section className="details-content">
          <div className="details-bar">
            <h2>{t(row.other ? 'feed.happened' : 'feed.content')}</h2>
            {!row.other && <Button className="link-button" onPress={onReveal} aria-pressed={shown}>
              {shown ? <EyeOffIcon size={14} /> : <EyeIcon size={14} />}{t(shown ? 'feed.hide' : 'feed.show')}<kbd>{keyCap(keyOf('reveal'))}</kbd>
            </Button>}
          </div>
          <p className="details-text">{row.other ? <Happened of={row.other} app={row.app_id} /> : shown ? <Quoted text={row.content} lang={row.language} hits={row.hits} /> : row.content === '' && row.kind !== 'text' ? plain(row.kind) : <Hidden text={row.content} />}</p>
          {row.other?.href && <p><a href={row.other.href}>{t('feed.more_of_it')}</a></p>}
        </section>
        {row.case_id && <Decide key={row.case_id} row={row} me={me} onDecided={onDecided} onEnded={onEnded} />}
        {!row.other && <section>
          <h2>{t(row.observed ? 'feed.observed' : 'feed.found')}</h2>
          {what.label.length === 0 ? <p className="muted">{t('feed.found_nothing')}</p> : <ul className="labels">{what.label.map((l, i) => <LabelItem key={i} label={l} />)}</ul>}
          <Stricter why={row.stricter} />
          <Combined of={combinedOf(row)} />
          {row.degraded && <p className="callout">{t('feed.degraded')}</p>}
        </section>}
        <section>
          <h2>{t(row.other ? 'feed.player' : 'feed.message')}</h2>
          <dl className="facts">
            {!row.other && <>
              <Fact name={t('feed.suggestion')}>{suggestionName(row.suggestion)}</Fact>
              <Fact name={t('feed.action')}>{row.warn ? t('feed.action_warned', { action: actionName(row.action) }) : actionName(row.action)}</Fact>
              <Fact name={t('feed.mode')}>{modeName(row.mode)}</Fact>
              <Fact name={t('feed.latency')}>{took(row)}</Fact>
            </>}
            {row.player_id && <Fact name={t('feed.player')}><button type="button" className="fact-link" title={t('feed.only_player')} onClick={() => onFilter({ player: row.player_id })}><bdi>{row.player_id}</bdi></button> <a className="small" href={placeOf(['players', row.player_id], { app: row.app_id })}>{t('feed.to_player')}</a></Fact>}
            {row.scene_id && <Fact name={t('feed.scene')}><button type="button" className="fact-link" title={t('feed.only_scene')} onClick={() => onFilter({ scene: row.scene_id as string })}><bdi>{row.scene_id}</bdi></button></Fact>}
            <Fact name={t('feed.app')}><bdi>{row.app_id}</bdi></Fact>
            {row.language && <Fact name={t('feed.language')}>{row.language}</Fact>}
            {row.request_id && !row.other && <Fact name={t('feed.request')}><CopyId id={row.request_id} label={t('feed.copy_request')} /></Fact>}
            {row.case_id && <Fact name={t('feed.case')}><CopyId id={row.case_id} label={t('feed.copy_case')} /> <CaseLink id={row.case_id}>{t('feed.to_case')}</CaseLink></Fact>}
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
  const t = useText()
  const severity = label.severity ?? 0
  return (
    <li className="label">
      <span className="label-name">{categoryName(label.category)}{label.sub_label && <span className="muted"> · {plain(label.sub_label)}</span>}</span>
      <span className="label-confidence">{share(label.confidence)}</span>
      <span className="bar" aria-hidden="true"><span style={{ width: `${Math.round(label.confidence * 100)}%` }} /></span>
      <span className="label-facts muted small">
        {severity > 0 && <span>{t('feed.severity', { n: severity })}</span>}
        {label.source && <span>{plain(label.source)}</span>}
      </span>
    </li>
  )
}

function CopyId({ id, label }: { id: string; label: string }) {
  const t = useText()
  const [done, setDone] = useState<'' | 'copied' | 'not_copied'>('')
  useEffect(() => {
    if (!done) return
    const t = setTimeout(() => setDone(''), 1500)
    return () => clearTimeout(t)
  }, [done])
  return (
    <span className="copy-id">
      <code>{id}</code>
      <Button className="icon-button tiny" aria-label={label}
        onPress={() => { navigator.clipboard.writeText(id).then(() => setDone('copied'), () => setDone('not_copied')) }}><CopyIcon size={14} /></Button>
      <span role="status" className="small muted">{done && t(`common.${done}`)}</span>
    </span>
  )
}
