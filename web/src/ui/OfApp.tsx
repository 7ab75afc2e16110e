import type { ReactNode } from 'react'
import { useText } from '../i18n/text'
import { useAppId } from '../lib/app'
import { Empty, Failed, Loading, Page } from './Page'

interface OfAppShape { children: (app: string) => ReactNode }

/** WithApp draws what is about one app, once it is known which; before and without one it says so. */
export function WithApp({ children }: OfAppShape) {
  const t = useText()
  const { app, error, pending, again } = useAppId()
  if (app) return <>{children(app)}</>
  if (error) return <Failed error={error} onRetry={again} />
  if (pending) return <Loading />
  return <Empty title={t('policies.no_app')} text={t('policies.no_app_text')} action={<a className="button" href="#/settings/apps">{t('settings.tab_apps')}</a>} />
}

/** OfApp is WithApp for a screen whose page, too, depends on the app. */
export function OfApp({ title, children }: OfAppShape & { title: string }) {
  const { app } = useAppId()
  return app ? <>{children(app)}</> : <Page title={title}><WithApp>{children}</WithApp></Page>
}
