import { Component, type ReactNode } from 'react'
import { text } from '../i18n/text'
import { Page, State } from '../ui/Page'

/** Broken keeps a page's fault to the page: the rail and the other screens go on. A new version's missing chunk ends here too. */
export class Broken extends Component<{ children: ReactNode }, { fault: boolean }> {
  override state = { fault: false }
  static getDerivedStateFromError() { return { fault: true } }
  override render() {
    if (!this.state.fault) return this.props.children
    return (
      <Page title={text('shell.broken')}>
        <div className="page-state"><State alert title={text('shell.broken')} text={text('shell.broken_text')} action={<button type="button" className="button" onClick={() => location.reload()}>{text('shell.reload')}</button>} /></div>
      </Page>
    )
  }
}
