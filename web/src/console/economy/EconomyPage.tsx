import { useText } from '../../i18n/text'
import { OfApp } from '../../ui/OfApp'
import { Page } from '../../ui/Page'
import { Tabs } from '../../ui/Tabs'
import { placeOf } from '../route'
import type { PageProps } from '../screens'
import { Alerts } from './Alerts'
import { Bans } from './Bans'
import { Find } from './Find'
import { Money } from './Money'
import { PlayerView } from './PlayerView'
import { RulePage } from './RulePage'
import { Rules } from './Rules'
import '../../styles/rules.css'
import '../../styles/economy.css'

/** EconomyPage: what the game's logs show: risks, the flow of money, bans and the studio's own rules. */
export default function EconomyPage({ me, route }: PageProps) {
  const t = useText()
  return <OfApp title={t('economy.title')}>{(app) => <Views me={me} route={route} app={app} />}</OfApp>
}

function Views({ me, route, app }: Pick<PageProps, 'me' | 'route'> & { app: string }) {
  const t = useText()
  const [view = 'alerts', id] = route.rest
  if (view === 'player' && id) return <PlayerView key={`${app}/${id}`} me={me} app={app} id={id} query={route.query} />
  if (view === 'rules' && id) return <RulePage key={`${app}/${id}`} me={me} app={app} name={id} />
  const tabs = [['alerts', []], ['money', ['money']], ['bans', ['bans']], ['rules', ['rules']]] as const
  return (
    <Page title={t('economy.title')} actions={<Find />} lead={<Tabs label={t('economy.title')} items={tabs.map(([key, rest]) => ({ href: placeOf(['economy', ...rest]), text: t(`economy.tab_${key}`), here: view === key }))} />}>
      {view === 'money' ? <Money app={app} query={route.query} /> : view === 'bans' ? <Bans me={me} app={app} /> : view === 'rules' ? <Rules me={me} app={app} /> : <Alerts app={app} />}
    </Page>
  )
}
