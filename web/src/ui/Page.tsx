import { useEffect, type ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import { ApiError, explain, UNREACHABLE } from '../lib/api'

interface PageShape {
  title: string
  /** Beside the title: what can be done with the whole page. */
  actions?: ReactNode
  /** Below the title: a sentence or the filters. */
  lead?: ReactNode
  children: ReactNode
  className?: string
}

/** Page is a screen's frame: its title in the page and in the browser, its main landmark. */
export function Page({ title, actions, lead, children, className }: PageShape) {
  useEffect(() => { document.title = `${title} · Portcullis` }, [title])
  return (
    <main className={className ? `page ${className}` : 'page'} id="main" tabIndex={-1}>
      <header className="page-head"><h1>{title}</h1><span className="grow" />{actions}</header>
      {lead && <div className="page-lead">{lead}</div>}
      {children}
    </main>
  )
}

interface StateShape { title: string; text?: ReactNode; action?: ReactNode; quiet?: boolean; alert?: boolean }

/** State stands where content would and says why there is none and what to do. */
export function State({ title, text, action, quiet, alert }: StateShape) {
  return (
    <div className="state" role={alert ? 'alert' : 'status'}>
      {quiet && <span className="state-dots" aria-hidden="true"><i /><i /><i /></span>}
      <p className="state-title">{title}</p>
      {text && <p className="muted">{text}</p>}
      {action}
    </div>
  )
}

export function Loading() {
  const t = useText()
  return <div className="page-state"><State title={t('common.loading')} quiet /></div>
}

export function Forbidden() {
  const t = useText()
  return <div className="page-state"><State title={t('common.no_permission')} text={t('common.ask_admin')} /></div>
}

/** Failed says what went wrong: offline, no permission, a part that is missing, or the gateway's own words. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useText()
  if (error instanceof ApiError && error.code === 1004) return <Forbidden />
  const away = error instanceof ApiError && error.code === UNREACHABLE
  const offline = away && navigator.onLine === false
  return (
    <div className="page-state">
      <State alert title={t(offline ? 'common.offline' : away ? 'common.no_gateway' : 'common.failed')} text={offline ? t('common.offline_text') : explain(error)}
        action={<Button className="button" onPress={onRetry}>{t('common.try_again')}</Button>} />
    </div>
  )
}

interface Asked<T> { data: T | undefined; error: unknown; isPending: boolean; fetchStatus: string; refetch: () => unknown }
interface LoadedShape<T> {
  of: Asked<T>
  /** Whether an answer holds nothing; then `empty` stands in its place. */
  isEmpty?: (data: T) => boolean
  empty?: ReactNode
  children: (data: T) => ReactNode
}

/** Loaded draws an answer of useApi once it is there; before, instead and without it, what is the case. */
export function Loaded<T>({ of, isEmpty, empty, children }: LoadedShape<T>) {
  const t = useText()
  if (of.data === undefined) {
    if (of.error) return <Failed error={of.error} onRetry={() => void of.refetch()} />
    return of.fetchStatus === 'idle' ? null : <Loading />
  }
  return (
    <>
      {of.error ? <p className="callout warn" role="alert">{t('common.stale')} {explain(of.error)} <Button className="link-button" onPress={() => void of.refetch()}>{t('common.try_again')}</Button></p> : null}
      {isEmpty?.(of.data) ? empty ?? <Empty title={t('common.nothing')} /> : children(of.data)}
    </>
  )
}

/** Empty says that there is nothing, and how something would come to be. */
export function Empty({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return <div className="page-state"><State title={title} text={text} action={action} /></div>
}

/** Card is a part of a page with a heading; label is its name where another part has the same heading. */
export function Card({ title, label = title, actions, children, className }: { title: string; label?: string; actions?: ReactNode; children: ReactNode; className?: string }) {
  return (
    <section className={className ? `card ${className}` : 'card'} aria-label={label}>
      <header className="card-head"><h2>{title}</h2><span className="grow" />{actions}</header>
      {children}
    </section>
  )
}
