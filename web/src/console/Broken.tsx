import { Component, type ReactNode } from 'react'
import { text } from '../i18n/text'
import { Page, State } from '../ui/Page'

interface Props {
  children: ReactNode
  /** Fetches the page's code anew, where it never came. */
  onRetry: () => void
}

/** What browsers say of a chunk that could not be fetched: Chromium and Firefox, Firefox before 2023, Safari. */
const notFetched = (err: unknown) => err instanceof Error && /dynamically imported module|module script failed|preload/i.test(err.message)

/**
 * Broken keeps a page's fault to the page: the rail and the other screens go on. A page
 * whose code never came is told apart: it may be the connection, or a new version.
 */
export class Broken extends Component<Props, { fault: unknown }> {
  override state: { fault: unknown } = { fault: null }
  static getDerivedStateFromError(fault: unknown) { return { fault: fault ?? new Error('unknown') } }

  private again = () => { this.props.onRetry(); this.setState({ fault: null }) }

  override render() {
    if (this.state.fault === null) return this.props.children
    const away = notFetched(this.state.fault)
    const title = text(away ? (navigator.onLine === false ? 'common.offline' : 'shell.not_fetched') : 'shell.broken')
    return (
      <Page title={title}>
        <div className="page-state"><State alert title={title} text={text(away ? 'shell.not_fetched_text' : 'shell.broken_text')} action={
          <span className="row-of">
            {away && <button type="button" className="button primary" onClick={this.again}>{text('common.try_again')}</button>}
            <button type="button" className="button" onClick={() => location.reload()}>{text('shell.reload')}</button>
          </span>} /></div>
      </Page>
    )
  }
}
