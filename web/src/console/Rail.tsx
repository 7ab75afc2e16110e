import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../i18n/text'
import { prefs, setPrefs } from '../lib/prefs'
import { useStore } from '../lib/store'
import type { Moderator } from '../lib/wire'
import { roleName } from '../lib/words'
import { useMedia } from '../ui/hooks'
import { ChevronIcon, CloseIcon, KeysIcon, LeaveIcon, MenuIcon } from '../ui/icons'
import { Mark } from '../ui/Mark'
import { ThemeToggle } from '../ui/ThemeToggle'
import { AppChoice } from './AppChoice'
import { groups, screens, type Screen } from './screens'

interface Props { me: Moderator; here: Screen | undefined; onHelp: () => void; onLeave: () => void }

/** Rail leads to the screens that a role may see, in groups that can be closed; on a narrow screen it is a menu. */
export function Rail({ me, here, onHelp, onLeave }: Props) {
  const t = useText()
  const narrow = useMedia('(max-width: 760px)')
  const [open, setOpen] = useState(false)
  const { closed } = useStore(prefs)
  const mine = screens.filter((s) => s.roles.includes(me.role))
  const shown = !narrow || open
  return (
    <nav className={open ? 'rail rail-opened' : 'rail'} aria-label={t('shell.rail')} onKeyDown={(e) => { if (e.key === 'Escape') setOpen(false) }}>
      <div className="rail-top">
        {narrow && <Button className="icon-button" aria-expanded={open} aria-controls="rail-screens" aria-label={t(open ? 'shell.close_menu' : 'shell.menu')} onPress={() => setOpen(!open)}>{open ? <CloseIcon size={18} /> : <MenuIcon size={18} />}</Button>}
        <span className="rail-brand"><Mark /><span className="rail-word">Portcullis</span></span>
        <AppChoice />
      </div>
      {shown && (
        <div className="rail-screens" id="rail-screens">
          {groups.map((g) => {
            const those = mine.filter((s) => s.group === g)
            if (!those.length) return null
            const shut = closed.includes(g)
            return (
              <div key={g} className="rail-group" role="group" aria-label={t(`shell.group_${g}`)}>
                <button type="button" className="rail-group-head" aria-expanded={!shut} onClick={() => setPrefs({ closed: shut ? closed.filter((x) => x !== g) : [...closed, g] })}>
                  <span>{t(`shell.group_${g}`)}</span><ChevronIcon size={12} />
                </button>
                {those.filter((s) => !shut || s === here).map(({ path, label, icon: Icon, ...s }) => (
                  <a key={path} className="rail-item" href={`#${path}`} title={t(label)} aria-current={path === here?.path ? 'page' : undefined} onClick={() => setOpen(false)} data-group={s.group}><Icon size={18} /><span>{t(label)}</span></a>
                ))}
              </div>
            )
          })}
        </div>
      )}
      <div className="rail-foot">
        <Button className="icon-button" aria-label={t('shell.preferences')} onPress={onHelp}><span title={t('shell.preferences')}><KeysIcon size={18} /></span></Button>
        <ThemeToggle />
        <span className="rail-user" title={`${me.name}, ${roleName(me.role)}`}>
          <span className="avatar" aria-hidden="true">{[...me.name][0]?.toUpperCase() ?? '?'}</span>
          <span className="sr-only">{t('shell.signed_in_as', { name: me.name, role: roleName(me.role) })}</span>
        </span>
        <Button className="icon-button" aria-label={t('shell.sign_out')} onPress={onLeave}><span title={t('shell.sign_out')}><LeaveIcon size={18} /></span></Button>
      </div>
    </nav>
  )
}
