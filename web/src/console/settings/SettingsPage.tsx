import { useText } from '../../i18n/text'
import { useAppId } from '../../lib/app'
import { can, type Permission } from '../../lib/roles'
import { Forbidden, Page } from '../../ui/Page'
import { WithApp } from '../../ui/OfApp'
import { Tabs } from '../../ui/Tabs'
import { placeOf } from '../route'
import type { PageProps } from '../screens'
import { Apps } from './Apps'
import { FailRules } from './FailRules'
import { Guide } from './Guide'
import { Start } from './Start'
import { People } from './People'
import { Webhooks } from './Webhooks'
import { Wellness } from './Wellness'
import '../../styles/rules.css'

const tabs = [['start', 'feed.see'], ['guide', 'cases.see'], ['apps', 'keys.manage'], ['webhooks', 'keys.manage'], ['people', 'users.manage'], ['fail', 'policy.see'], ['wellness', 'cases.see']] as const satisfies readonly (readonly [string, Permission])[]

/** SettingsPage: how the gateway is introduced, who calls it, whom it tells, who works here, and how. */
export default function SettingsPage({ me, route }: PageProps) {
  const t = useText()
  const { app } = useAppId()
  // Who runs the gateway begins with its introduction, who decides cases with those.
  const first = can(me.role, 'keys.manage') ? 'start' : 'guide'
  const view = route.rest[0] ?? first
  const may = tabs.find(([key]) => key === view)
  const inside = () => {
    switch (view) {
      case 'apps': return <Apps />
      case 'webhooks': return <WithApp>{(of) => <Webhooks key={of} app={of} open={route.rest[1]} />}</WithApp>
      case 'people': return <People me={me} />
      case 'fail': return <WithApp>{(of) => <FailRules key={of} me={me} app={of} />}</WithApp>
      case 'wellness': return <Wellness />
      case 'guide': return <Guide />
      default: return <Start me={me} app={app} />
    }
  }
  return (
    <Page title={t('settings.title')} lead={<Tabs label={t('settings.title')} items={tabs.filter(([, p]) => can(me.role, p)).map(([key]) => ({ href: placeOf(['settings', ...(key === first ? [] : [key])]), text: t(`settings.tab_${key}`), here: key === view }))} />}>
      {may && !can(me.role, may[1]) ? <Forbidden /> : inside()}
    </Page>
  )
}
