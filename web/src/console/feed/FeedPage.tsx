import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import type { Moderator } from '../../lib/wire'
import { useStore } from '../../lib/store'
import { number } from '../../lib/words'
import { LinkPill } from '../../ui/LinkPill'
import { PauseIcon, PlayIcon, UpIcon } from '../../ui/icons'
import { replaceRoute, useRoute } from '../route'
import { useShortcuts } from '../shortcuts'
import { Details } from './Details'
import { FeedList, type FeedListHandle } from './FeedList'
import { FilterBar } from './FilterBar'
import { formatFilter, isFiltered, noFilter, parseFilter, type Filter } from './filter'
import { FeedState } from './FeedState'
import { Summary } from './Summary'
import { useFeed } from './useFeed'

interface Props { me: Moderator; onEnded: () => void; onHelp: () => void }

/** FeedPage is the live feed: what the gateway decides, as it decides it. */
export function FeedPage({ me, onEnded, onHelp }: Props) {
  const route = useRoute()
  const filter = useMemo(() => parseFilter(route.query), [route.query])
  const { store, link, refused, subscribed, retry } = useFeed(onEnded)
  const view = useStore(store)
  const [paused, setPaused] = useState(false)
  const [atTop, setAtTop] = useState(true)
  const [chosen, setChosen] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<FeedListHandle>(null)
  const search = useRef<HTMLInputElement>(null)
  const held = paused || !atTop || chosen !== null

  useEffect(() => { document.title = 'Live feed · Portcullis' }, [])
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
    j: () => choose(at + 1),
    k: () => choose(Math.max(0, at - 1)),
    Enter: () => { if (row) setOpen(!open); else choose(0) },
    Space: () => (paused ? catchUp() : setPaused(true)),
    b: () => { if (row) toggleReveal(row.event_id) },
    n: catchUp,
    '/': () => search.current?.focus(),
    '?': onHelp,
    Escape: () => (open ? setOpen(false) : letGo()),
  })

  const why = paused ? 'Paused' : chosen !== null ? 'Standing still while a row is chosen' : 'Standing still while you scroll'
  return (
    <main className={open && row ? 'feed feed-open' : 'feed'} id="main" tabIndex={-1}>
      <header className="feed-head">
        <h1>Live feed</h1>
        <LinkPill state={link} onRetry={retry} live={held ? (paused ? 'Paused' : 'Live, standing still') : 'Live'} />
        <span className="rate" title="Events in the last second">{number(view.rate)}<span className="muted">/s</span></span>
        <span className="rate-total muted">{number(view.total)} since opened</span>
        <span className="grow" />
        <Button className={paused ? 'button primary' : 'button'} onPress={() => (paused ? catchUp() : setPaused(true))} aria-pressed={paused}>
          {paused ? <PlayIcon /> : <PauseIcon />}{paused ? 'Go on' : 'Pause'}
        </Button>
      </header>
      <FilterBar filter={filter} onChange={setFilter} searchRef={search} />
      {(view.every > 1 || view.dropped > 0) && (
        <p className="flood" role="status">
          {view.every > 1 && <span>Flooded: 1 of {number(view.every)} clean passes is shown; everything flagged is.</span>}
          {view.dropped > 0 && <span>{number(view.dropped)} events were dropped on the way because this page was slow.</span>}
        </p>
      )}
      <section className="feed-body" aria-label="Verdicts">
        {held && view.fresh > 0 && (
          <Button className="fresh" onPress={catchUp} aria-label={`Show ${number(view.fresh)} new events. ${why}`}><UpIcon size={14} />{number(view.fresh)} new</Button>
        )}
        <FeedList ref={list} rows={view.rows} chosen={chosen} revealed={revealed} onOpen={openRow} onReveal={toggleReveal} onAtTop={setAtTop} onMove={(by) => choose(Math.max(0, at + by))} />
        {view.rows.length === 0 && (
          <FeedState link={link} refused={refused} subscribed={subscribed} filtered={isFiltered(filter)} total={view.total} onRetry={retry} onClear={() => setFilter(noFilter)} />
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
