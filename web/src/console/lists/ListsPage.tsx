import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import { bytes } from '../../lib/words'
import { Window } from '../../ui/ActDialog'
import { Field } from '../../ui/Field'
import { OfApp } from '../../ui/OfApp'
import { Card, Empty, Loaded, Page } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { Source } from '../policies/parts'
import { goTo, placeOf } from '../route'
import type { PageProps } from '../screens'
import { ListPage } from './ListPage'
import { ReadBox } from './ReadBox'
import '../../styles/rules.css'

/** ListsPage: the word lists of an app with their tests, and how a text is read. */
export default function ListsPage({ me, route }: PageProps) {
  const t = useText()
  const [name] = route.rest
  return <OfApp title={t('lists.title')}>{(app) => (name ? <ListPage key={`${app}/${name}`} me={me} app={app} name={name} /> : <Lists me={me} app={app} />)}</OfApp>
}

function Lists({ me, app }: Pick<PageProps, 'me'> & { app: string }) {
  const t = useText()
  const q = useApi('/lists', { query: { app_id: app } })
  const [adding, setAdding] = useState(false)
  const [name, setName] = useState('')
  const fits = /^[a-z0-9_-]{1,64}$/.test(name)
  return (
    <Page title={t('lists.title')} actions={can(me.role, 'policy.edit') && <Button className="button" onPress={() => setAdding(true)}>{t('lists.new')}</Button>}>
      <div className="editor">
        <Card title={t('lists.lists')} className="editor-main">
          <p className="muted small">{t('lists.text')}</p>
          <Loaded of={q} isEmpty={(d) => d.lists.length === 0} empty={<Empty title={t('lists.none')} text={t('lists.none_text')} />}>
            {({ lists }) => <Table label={t('lists.lists')} rows={lists} rowKey={(l) => l.name} onOpen={(l) => goTo(placeOf(['lists', l.name]))} columns={[
              { key: 'name', head: t('common.name'), cell: (l) => <a href={placeOf(['lists', l.name])}>{l.name}</a>, sort: (l) => l.name },
              { key: 'source', head: t('lists.source'), cell: (l) => <Source of={l.source} />, sort: (l) => l.source },
              { key: 'bytes', head: t('lists.size'), num: true, cell: (l) => bytes(l.bytes), sort: (l) => l.bytes },
              { key: 'version', head: t('lists.version'), num: true, cell: (l) => (l.version > 0 ? l.version : '–'), sort: (l) => l.version },
              { key: 'at', head: t('policies.changed_at'), cell: (l) => (l.changed_at ? <><bdi>{l.by}</bdi>, <Time at={l.changed_at} rel /></> : '–') },
            ]} />}
          </Loaded>
        </Card>
        <div className="editor-side"><ReadBox app={app} /></div>
      </div>
      <Window open={adding} onOpen={setAdding} title={t('lists.new')}>
        <form className="form" onSubmit={(e) => { e.preventDefault(); if (fits) { setAdding(false); goTo(placeOf(['lists', name])) } }}>
          <Field label={t('common.name')} hint={t('lists.name_hint')} value={name} onChange={setName} autoComplete="off" />
          <div className="dialog-buttons"><Button type="submit" className="button primary" isDisabled={!fits}>{t('policies.open_layer')}</Button></div>
        </form>
      </Window>
    </Page>
  )
}
