import { Button, Dialog, Heading, Modal, ModalOverlay, Switch } from 'react-aria-components'
import { prefs, setPrefs } from '../lib/prefs'
import { useStore } from '../lib/store'
import { CloseIcon } from '../ui/icons'

const keys: [string[], string][] = [
  [['J'], 'Next row'],
  [['K'], 'Previous row'],
  [['Enter'], 'Open or close the details'],
  [['Space'], 'Pause or go on'],
  [['B'], 'Show or hide the content of the row'],
  [['N'], 'Show what is new'],
  [['/'], 'Search'],
  [['Esc'], 'Close the details, let the row go'],
  [['?'], 'This help'],
]

export function HelpDialog({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const { shortcuts } = useStore(prefs)
  return (
    <ModalOverlay className="overlay" isOpen={open} onOpenChange={onOpen} isDismissable>
      <Modal className="modal">
        <Dialog className="dialog">
          <div className="dialog-head">
            <Heading slot="title">Keyboard shortcuts</Heading>
            <Button slot="close" className="icon-button" aria-label="Close"><CloseIcon /></Button>
          </div>
          <Switch className="switch" isSelected={shortcuts} onChange={(on) => setPrefs({ shortcuts: on })}>
            <span className="switch-track" aria-hidden="true"><span className="switch-thumb" /></span>
            Single-key shortcuts
          </Switch>
          <dl className={shortcuts ? 'keys' : 'keys keys-off'}>
            {keys.map(([k, what]) => (
              <div key={what}><dt>{k.map((x) => <kbd key={x}>{x}</kbd>)}</dt><dd>{what}</dd></div>
            ))}
          </dl>
          <p className="muted small">Shortcuts rest while you type. The choice is kept in this browser.</p>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
