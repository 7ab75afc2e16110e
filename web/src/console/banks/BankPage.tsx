import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ApiError } from '../../lib/api'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { categoryName, number } from '../../lib/words'
import { Card, Empty, Failed, Loading, Page } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { placeOf } from '../route'
import { AddPicture } from './AddPicture'
import { BankForm } from './BankForm'
import { BankState } from './BankState'
import { ImportDialog } from './ImportDialog'
import { Imports } from './Imports'
import { isGrave, Lock, StateChip, type Owner } from './parts'
import { TakeOut } from './TakeOut'

interface Props { me: Moderator; app: string; owner: Owner; name: string }

/** BankPage is one bank: whether it counts, what it found, what was imported. Its hashes are told by no call. */
export function BankPage({ me, app, owner, name }: Props) {
  const t = useText()
  const q = useApi('/image-banks/{name}', { path: { name }, query: { app_id: app, owner } }, { every: 15_000 })
  const [open, setOpen] = useState<'' | 'list' | 'picture'>('')
  const title = t('banks.bank_title', { name })
  const back = <a className="button small" href={placeOf(['image-banks'])}>{t('banks.all')}</a>
  if (q.error instanceof ApiError && q.error.status === 404) return <Page title={title} actions={back}><Empty title={t('banks.unknown')} text={t('banks.unknown_text')} /></Page>
  if (!q.data) return <Page title={title} actions={back}>{q.error ? <Failed error={q.error} onRetry={() => void q.refetch()} /> : <Loading />}</Page>
  const b = q.data
  const may = can(me.role, 'policy.edit')
  const taking = may && b.state !== 'retired'
  const found = b.matches.reduce((n, m) => n + m.count, 0)
  return (
    <Page title={title} actions={<>
      {taking && <><Button className="button primary" onPress={() => setOpen('list')}>{t('banks.import')}</Button><Button className="button" onPress={() => setOpen('picture')}>{t('banks.add_picture')}</Button></>}
      {back}
    </>} lead={<><StateChip of={b.state} /><span>{categoryName(b.category)}</span><Lock category={b.category} /><span className="muted">{t('banks.counts_for', { who: b.owner })}</span><span className="muted">{t('banks.hashes_are', { pdq: b.hashes.pdq, sha256: b.hashes.sha256 })}</span></>}>
      {isGrave(b.category) && <p className="callout warn">{t('banks.grave_text')}</p>}
      <div className="editor">
        <div className="editor-main">
          <Card title={t('banks.found')}>
            <p className="muted small">{t('banks.found_text', { n: found })}</p>
            {b.matches.length === 0 ? <p className="muted">{t('banks.found_none')}</p> : (
              <Table label={t('banks.found')} rows={b.matches} rowKey={(m) => `${m.day} ${m.state}`} columns={[
                { key: 'day', head: t('banks.day'), cell: (m) => <time dateTime={m.day}>{m.day}</time>, sort: (m) => m.day },
                { key: 'state', head: t('banks.state_then'), cell: (m) => <StateChip of={m.state as typeof b.state} /> },
                { key: 'count', head: t('banks.count'), num: true, cell: (m) => number(m.count), sort: (m) => m.count },
              ]} />
            )}
          </Card>
          <Imports app={app} owner={owner} name={name} may={may} count={b.imports} />
        </div>
        <div className="editor-side">
          <BankState bank={b} app={app} may={may} />
          <BankForm key={b.version} bank={b} app={app} may={may} />
          {may && <TakeOut bank={b} app={app} />}
        </div>
      </div>
      <ImportDialog bank={b} app={app} open={open === 'list'} onOpen={(on) => setOpen(on ? 'list' : '')} />
      <AddPicture bank={b} app={app} open={open === 'picture'} onOpen={(on) => setOpen(on ? 'picture' : '')} />
    </Page>
  )
}
