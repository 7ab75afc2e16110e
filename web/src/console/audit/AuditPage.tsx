import { useState } from 'react'
import { useText } from '../../i18n/text'
import { address } from '../../lib/http'
import { useApi } from '../../lib/query'
import { download } from '../../lib/csv'
import { fullTime } from '../../lib/words'
import { Button } from 'react-aria-components'
import { CheckIcon, DownloadIcon, WarnIcon } from '../../ui/icons'
import { Card, Failed, Loaded, Loading, Page } from '../../ui/Page'
import { Pager, usePages } from '../../ui/Pager'
import { Table } from '../../ui/Table'
import { Window } from '../../ui/ActDialog'
import { replaceRoute } from '../route'
import type { PageProps } from '../screens'
import '../../styles/stats.css'

const fields = ['actor', 'action', 'object', 'chain', 'from', 'to'] as const
type Field = (typeof fields)[number]
type Filter = Record<Field, string>

const parse = (query: string): Filter => { const p = new URLSearchParams(query); return Object.fromEntries(fields.map((f) => [f, (p.get(f) ?? '').slice(0, 200)])) as Filter }

/** AuditPage is who did what, and whether the chain that says so is sealed. The filter is in the URL. */
export default function AuditPage({ route }: PageProps) {
  const t = useText()
  const filter = parse(route.query)
  const set = (f: Field, v: string) => {
    const p = new URLSearchParams(Object.entries({ ...filter, [f]: v }).filter(([, x]) => x))
    replaceRoute('/audit', p.toString())
  }
  const asked = { ...filter, from: filter.from && `${filter.from}T00:00:00Z`, to: filter.to && `${filter.to}T00:00:00Z` }
  const log = usePages('/audit', { query: { ...asked, limit: 100 } }, (a) => a.entries)
  const [open, setOpen] = useState<string | null>(null)
  const entry = log.rows?.find((e) => e.hash === open)
  return (
    <Page title={t('audit.title')} actions={<a className="button" href={`../api/v1/${address('/audit', {}, { ...asked, format: 'ndjson' })}`} download="audit.ndjson"><DownloadIcon size={14} />{t('audit.download')}</a>}>
      <Checkpoints />
      <Card title={t('audit.entries')}>
        <div className="fields fields-six" role="search" aria-label={t('audit.filter')}>
          {fields.map((f) => <label key={f} className="input"><span>{t(`audit.${f}`)}</span><input type={f === 'from' || f === 'to' ? 'date' : 'text'} value={filter[f]} placeholder={f === 'action' ? 'user.*' : ''} spellCheck={false} autoComplete="off" onChange={(e) => set(f, e.target.value)} /></label>)}
        </div>
        {!log.rows ? (log.error ? <Failed error={log.error} onRetry={() => void log.refetch()} /> : <Loading />) : (
          <Table label={t('audit.entries')} rows={log.rows} rowKey={(e) => e.hash} onOpen={(e) => setOpen(e.hash)} openKey={open ?? undefined} empty={<p className="muted">{t('audit.none')}</p>} columns={[
            { key: 'at', head: t('common.time'), cell: (e) => fullTime(e.at), sort: (e) => e.at, width: '180px' },
            { key: 'actor', head: t('audit.actor'), cell: (e) => <bdi>{e.actor}</bdi>, sort: (e) => e.actor, width: 'minmax(80px, .8fr)' },
            { key: 'action', head: t('audit.action'), cell: (e) => <code>{e.action}</code>, sort: (e) => e.action, width: 'minmax(100px, .8fr)' },
            { key: 'object', head: t('audit.object'), cell: (e) => <bdi>{e.object}</bdi>, sort: (e) => e.object, width: 'minmax(120px, 2fr)' },
            { key: 'seq', head: t('audit.seq'), num: true, cell: (e) => `${e.chain} ${e.seq}`, sort: (e) => e.seq, width: 'minmax(190px, 1fr)' },
          ]} />
        )}
        <Pager of={log} />
      </Card>
      <Window open={entry !== undefined} onOpen={(on) => { if (!on) setOpen(null) }} title={entry ? `${entry.action} · ${entry.chain} ${entry.seq}` : ''} wide>
        {entry && <dl className="facts audit-facts">
          <div><dt>{t('common.time')}</dt><dd>{fullTime(entry.at)}</dd></div><div><dt>{t('audit.actor')}</dt><dd><bdi>{entry.actor}</bdi></dd></div><div><dt>{t('audit.object')}</dt><dd><bdi>{entry.object}</bdi></dd></div>
          <div><dt>{t('audit.detail')}</dt><dd><pre>{pretty(entry.detail)}</pre></dd></div><div><dt>{t('audit.prev')}</dt><dd><code>{entry.prev}</code></dd></div><div><dt>{t('audit.hash')}</dt><dd><code>{entry.hash}</code></dd></div>
        </dl>}
      </Window>
    </Page>
  )
}

/** JSON as it is hashed is one line; for reading it is broken. */
function pretty(json: string): string {
  try { return JSON.stringify(JSON.parse(json), null, 2) } catch { return json }
}

function Checkpoints() {
  const t = useText()
  const q = useApi('/audit/checkpoints', {}, { every: 60_000 })
  return (
    <Card title={t('audit.checkpoints')} actions={q.data && q.data.checkpoints.length > 0 && <Button className="button small" onPress={() => download('checkpoints.json', JSON.stringify(q.data?.checkpoints, null, 2), 'application/json')}><DownloadIcon size={14} />{t('audit.keep')}</Button>}>
      <p className="muted small">{t('audit.checkpoints_text')}</p>
      <Loaded of={q} isEmpty={(d) => d.checkpoints.length === 0} empty={<p className="callout"><WarnIcon size={14} /> {t('audit.no_checkpoints')}</p>}>{(d) => (
        <>
          <ul className="health-parts">{d.checkpoints.map((c) => <Chain key={c.chain} chain={c.chain} seq={c.seq} at={c.ts} hash={c.hash} />)}</ul>
          <p className="small muted">{t('audit.key')} <code className="sha">{d.public_key}</code></p>
        </>
      )}</Loaded>
    </Card>
  )
}

/** One chain: how far it is sealed, and how many entries stand after the seal. */
function Chain({ chain, seq, at, hash }: { chain: string; seq: number; at: number; hash: string }) {
  const t = useText()
  const newest = useApi('/audit', { query: { chain, limit: 1 } }, { every: 60_000 })
  const last = newest.data?.entries[0]?.seq
  const open = last === undefined ? null : Math.max(0, last - seq)
  return (
    <li><span className={open ? 'chip chip-review' : 'chip chip-pass'}>{open ? <WarnIcon size={13} /> : <CheckIcon size={13} />}{open === null ? t('audit.sealed') : open ? t('audit.after', { n: open }) : t('audit.all_sealed')}</span> <strong>{chain}</strong> {t('audit.to_seq', { seq, at: fullTime(at) })}<p className="small muted"><code className="sha">{hash}</code></p></li>
  )
}
