import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useStore } from '../../lib/store'
import { number } from '../../lib/words'
import { LinkPill } from '../../ui/LinkPill'
import { PauseIcon, PlayIcon, UpIcon } from '../../ui/icons'
import { replaceRoute } from '../route'
import type { PageProps } from '../screens'
import { useShortcuts } from '../shortcuts'
import { Details } from './Details'
import { FeedList, type FeedListHandle } from './FeedList'
import { FilterBar } from './FilterBar'
import { formatFilter, isFiltered, noFilter, parseFilter, type Filter } from './filter'
import { FeedState } from './FeedState'
import { Summary } from './Summary'
import { useFeed } from './useFeed'

/** FeedPage is the live feed: what the gateway decides, as it decides it. */
export default function FeedPage({ me, onEnded, route }: PageProps) {
  const t = useText()
  const filter = useMemo(() => parseFilter(route.query), [route.query])
  const { store, link, refused, retry } = useFeed(onEnded)
  const view = useStore(store)
  const [paused, setPaused] = useState(false)
  const [atTop, setAtTop] = useState(true)
  const [chosen, setChosen] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<FeedListHandle>(null)
  const search = useRef<HTMLInputElement>(null)
  const held = paused || !atTop || chosen !== null

  useEffect(() => { document.title = `${t('feed.title')} · Portcullis` }, [t])
  useEffect(() => { store.setHeld(held) }, [store, held])
  const settled = useDeferredValue(filter)
  useEffect(() => { store.setFilter(settled) }, [store, settled])

  const setFilter = useCallback((f: Filter) => replaceRoute('/feed', formatFilter(f)), [])
  const at = chosen === null ? -1 : view.rows.findIndex((r) => r.event_id === chosen)
  const row = at < 0 ? undefined : view.rows[at]
  const gone = chosen !== null && at < 0
  useEffect(() => { if (gone) { setChosen(null); setOpen(false) } }, [gone])

  const choose = useCallback((i: number) => {
    const r = store.get().rows[i]
    if (!r) return
    store.setHeld(true)
    setChosen(r.event_id)
    list.current?.show(i)
  }, [store])
  const toggleReveal = useCallback((id: string) => setRevealed((old) => {
    const next = new Set(old)
    if (!next.delete(id)) next.add(id)
    return next
  }), [])
  const letGo = useCallback(() => { setChosen(null); setOpen(false) }, [])
  const catchUp = useCallback(() => { letGo(); setPaused(false); list.current?.top() }, [letGo])
  const openRow = useCallback((id: string) => { store.setHeld(true); setChosen(id); setOpen(true) }, [store])

  useShortcuts({
    next: () => choose(at + 1),
    previous: () => choose(Math.max(0, at - 1)),
    open: () => { if (row) setOpen(!open); else choose(0) },
    pause: () => (paused ? catchUp() : setPaused(true)),
    reveal: () => { if (row) toggleReveal(row.event_id) },
    fresh: catchUp,
    search: () => search.current?.focus(),
    close: () => (open ? setOpen(false) : letGo()),
  })

  const why = t(paused ? 'feed.paused' : chosen !== null ? 'feed.why_chosen' : 'feed.why_scroll')
  return (
    <main className={open && row ? 'feed feed-open' : 'feed'} id="main" tabIndex={-1}>
      <header className="feed-head">
        <h1>{t('feed.title')}</h1>
        <LinkPill state={link} onRetry={retry} live={t(held ? (paused ? 'feed.paused' : 'feed.standing') : 'common.link_live')} />
        <span className="rate" title={t('feed.rate_title')}>{number(view.rate)}<span className="muted">{t('feed.per_second')}</span></span>
        <span className="rate-total muted">{t('feed.since', { n: view.total })}</span>
        <span className="grow" />
        <Button className={paused ? 'button primary' : 'button'} onPress={() => (paused ? catchUp() : setPaused(true))} aria-pressed={paused}>
          {paused ? <PlayIcon /> : <PauseIcon />}{t(paused ? 'feed.go_on' : 'feed.pause')}
        </Button>
      </header>
      <FilterBar filter={filter} onChange={setFilter} searchRef={search} />
      {(view.every > 1 || view.dropped > 0) && (
        <p className="flood" role="status">
          {view.every > 1 && <span>{t('feed.flooded', { n: view.every })}</span>}
          {view.dropped > 0 && <span>{t('feed.dropped', { n: view.dropped })}</span>}
        </p>
      )}
      <section className="feed-body" aria-label={t('feed.verdicts')}>
        {held && view.fresh > 0 && (
          <Button className="fresh" onPress={catchUp} aria-label={t('feed.show_new', { n: view.fresh, why })}><UpIcon size={14} />{t('feed.new', { n: view.fresh })}</Button>
        )}
        <FeedList ref={list} rows={view.rows} chosen={chosen} revealed={revealed} onOpen={openRow} onReveal={toggleReveal} onAtTop={setAtTop} onMove={(by) => choose(Math.max(0, at + by))} />
        {view.rows.length === 0 && (
          <FeedState link={link} refused={refused} filtered={isFiltered(filter)} total={view.total} onRetry={retry} onClear={() => setFilter(noFilter)} />
        )}
      </section>
      {open && row && (
        <Details row={row} me={me} shown={revealed.has(row.event_id)} onReveal={() => toggleReveal(row.event_id)} onClose={() => setOpen(false)}
          onDecided={(decision) => store.decide(row.case_id as string, { decision, by: me.name })} onEnded={onEnded} onFilter={(change) => { letGo(); setFilter({ ...filter, ...change }) }} />
      )}
      <Summary view={view} held={held} />
    </main>
  )
}
