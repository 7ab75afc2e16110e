import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { http } from '../../lib/http'
import { useChange } from '../../lib/query'
import { ActDialog } from '../../ui/ActDialog'
import { Card, Loaded } from '../../ui/Page'
import { Pager } from '../../ui/Pager'
import { Time } from '../../ui/Time'
import { toast } from '../../ui/Toast'
import type { Owner } from './parts'

const most = 50

/** Imports are what was put into a bank and when; each can be taken back with all of its hashes. */
export function Imports({ app, owner, name, may, count }: { app: string; owner: Owner; name: string; may: boolean; count: number }) {
  const t = useText()
  const path = { name }
  // A page ends where it is full; the next is behind the last one's place.
  const q = useInfiniteQuery({
    queryKey: ['/image-banks/{name}/imports', app, owner, name, count],
    queryFn: ({ pageParam, signal }) => http.get('/image-banks/{name}/imports', { path, query: { app_id: app, owner, limit: most, after: pageParam || undefined }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.imports.length === most ? last.imports.at(-1)?.place : undefined),
  })
  const rows = q.data?.pages.flatMap((p) => p.imports)
  const [of, setOf] = useState('')
  const back = useChange((id: string) => http.delete('/image-banks/{name}/imports/{id}', { path: { name, id }, query: { app_id: app, owner } }), ['/image-banks'])
  return (
    <Card title={t('banks.imports')}>
      <Loaded of={{ ...q, data: rows }} isEmpty={(r) => r.length === 0} empty={<p className="muted">{t('banks.imports_none')}</p>}>
        {(list) => (
          <ul className="row-list bank-imports">{list.map((x) => (
            <li key={x.import_id}>
              <span><strong>{x.format === 'picture' ? t('banks.one_picture') : t('banks.list_of', { format: x.format, lines: x.lines })}</strong> {x.state === 'retired' && <span className="chip chip-seen">{t('banks.taken_back')}</span>} {x.source && <bdi>{x.source}</bdi>}</span>
              <span className="muted small">{t('banks.hashes_are', { pdq: x.pdq.count, sha256: x.sha256.count })}{x.left_out > 0 && <> · {t('banks.left_out', { n: x.left_out })}</>} · <bdi>{x.by}</bdi> · <Time at={x.created_at} /></span>
              {may && x.state === 'done' && <Button className="button small" onPress={() => setOf(x.import_id)}>{t('banks.take_back')}<span className="sr-only"> {x.source || x.format}</span></Button>}
            </li>
          ))}</ul>
        )}
      </Loaded>
      <Pager of={q} />
      <ActDialog open={of !== ''} onOpen={(on) => { if (!on) setOf('') }} title={t('banks.take_back_title')} confirm={t('banks.take_back')} danger reason="none"
        run={async () => { await back.mutateAsync(of); toast(t('banks.took_back')) }}>
        <p>{t('banks.take_back_text')}</p>
      </ActDialog>
    </Card>
  )
}
