import { useText } from '../../i18n/text'
import { OfApp } from '../../ui/OfApp'
import { Page } from '../../ui/Page'
import { Tabs } from '../../ui/Tabs'
import { AppSettings } from './AppSettings'
import { Ladder } from './ladder/Ladder'
import { LayerPage } from './LayerPage'
import { Layers } from './Layers'
import { Resolved } from './Resolved'
import { RolloutPage } from './RolloutPage'
import { Rollouts } from './Rollouts'
import { placeOf } from '../route'
import type { PageProps } from '../screens'
import '../../styles/rules.css'

/** PoliciesPage: the layers of an app's policy, what they come to, and how changes are taken to life. */
export default function PoliciesPage({ me, route }: PageProps) {
  const t = useText()
  return <OfApp title={t('policies.title')}>{(app) => <Views app={app} me={me} route={route} />}</OfApp>
}

function Views({ app, me, route }: Pick<PageProps, 'me' | 'route'> & { app: string }) {
  const t = useText()
  const [view = 'layers', layer, name, id] = route.rest
  if (view === 'at' && layer && name) return <LayerPage key={`${app}/${layer}/${name}`} me={me} app={app} layer={layer} name={name} />
  if (view === 'rollouts' && layer && name && id) return <RolloutPage key={id} me={me} app={app} layer={layer} name={name} id={id} />
  const tabs = [['layers', []], ['resolved', ['resolved']], ['rollouts', ['rollouts']], ['ladder', ['ladder']], ['settings', ['settings']]] as const
  return (
    <Page title={t('policies.title')} lead={<Tabs label={t('policies.title')} items={tabs.map(([key, rest]) => ({ href: placeOf(['policies', ...rest]), text: t(`policies.tab_${key}`), here: view === key }))} />}>
      {view === 'resolved' ? <Resolved app={app} query={route.query} /> : view === 'rollouts' ? <Rollouts app={app} /> : view === 'ladder' ? <Ladder key={app} me={me} app={app} /> : view === 'settings' ? <AppSettings me={me} app={app} /> : <Layers me={me} app={app} />}
    </Page>
  )
}
