import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { categoryName, number } from '../../lib/words'
import { OfApp } from '../../ui/OfApp'
import { Card, Empty, Loaded, Page } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { goTo } from '../route'
import type { PageProps } from '../screens'
import { BankPage } from './BankPage'
import { NewBank } from './NewBank'
import { Lock, placeOfBank, StateChip } from './parts'
import { TestBox } from './TestBox'
import '../../styles/rules.css'
import '../../styles/banks.css'

/** BanksPage: the banks of known pictures that count for an app, and which of them know a picture. */
export default function BanksPage({ me, route }: PageProps) {
  const t = useText()
  const [owner, name] = route.rest
  return <OfApp title={t('banks.title')}>{(app) => (name ? <BankPage key={`${app}/${owner}/${name}`} me={me} app={app} owner={owner === 'all' ? 'all' : 'app'} name={name} /> : <Banks me={me} app={app} />)}</OfApp>
}

function Banks({ me, app }: Pick<PageProps, 'me'> & { app: string }) {
  const t = useText()
  const q = useApi('/image-banks', { query: { app_id: app } })
  const [adding, setAdding] = useState(false)
  const may = can(me.role, 'policy.edit')
  const add = may && <Button className="button primary" onPress={() => setAdding(true)}>{t('banks.new')}</Button>
  return (
    <Page title={t('banks.title')} actions={add}>
      <div className="editor">
        <Card title={t('banks.list')} className="editor-main">
          <p className="muted small">{t('banks.text')}</p>
          <Loaded of={q} isEmpty={(d) => d.banks.length === 0} empty={<Empty title={t('banks.none')} text={t(may ? 'banks.none_text' : 'banks.none_ask')} />}>
            {({ banks }) => <Table label={t('banks.list')} rows={banks} rowKey={(b) => `${b.owner}/${b.name}`} onOpen={(b) => goTo(placeOfBank(b))} columns={[
              { key: 'name', head: t('common.name'), width: 'minmax(0, 1.4fr)', cell: (b) => <a href={placeOfBank(b)}>{b.name}</a>, sort: (b) => b.name },
              { key: 'category', head: t('banks.category'), width: 'minmax(0, 1.4fr)', cell: (b) => <>{categoryName(b.category)} <Lock category={b.category} /></>, sort: (b) => categoryName(b.category) },
              { key: 'owner', head: t('banks.owner'), cell: (b) => t(`banks.owner_${b.owner}`), sort: (b) => b.owner },
              { key: 'state', head: t('banks.state'), cell: (b) => <StateChip of={b.state} />, sort: (b) => b.state },
              { key: 'hashes', head: t('banks.hashes'), num: true, width: 'minmax(70px, .7fr)', cell: (b) => number(b.hashes.pdq + b.hashes.sha256), sort: (b) => b.hashes.pdq + b.hashes.sha256 },
              { key: 'at', head: t('banks.changed'), cell: (b) => <Time at={b.changed_at} rel />, sort: (b) => b.changed_at },
            ]} />}
          </Loaded>
        </Card>
        <div className="editor-side"><TestBox app={app} admin={may} /></div>
      </div>
      <NewBank app={app} open={adding} onOpen={setAdding} />
    </Page>
  )
}
