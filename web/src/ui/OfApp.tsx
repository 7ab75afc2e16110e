import type { ReactNode } from 'react'
import { useText } from '../i18n/text'
import { useAppId } from '../lib/app'
import { Empty, Failed, Loading, Page } from './Page'

/** OfApp draws a screen that is about one app, once it is known which; before and without one it says so. */
export function OfApp({ title, children }: { title: string; children: (app: string) => ReactNode }) {
  const t = useText()
  const { app, error, pending } = useAppId()
  if (app) return <>{children(app)}</>
  return (
    <Page title={title}>
      {error ? <Failed error={error} /> : pending ? <Loading /> : <Empty title={t('policies.no_app')} text={t('policies.no_app_text')} action={<a className="button" href="#/settings/apps">{t('settings.tab_apps')}</a>} />}
    </Page>
  )
}
