import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { kindOf, layerKinds, shownName, storedAs, type LayerKind } from '../../lib/layer'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { Window } from '../../ui/ActDialog'
import { Card, Loaded } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { goTo, placeOf } from '../route'
import { Source } from './parts'

/** Layers lists what there is, the most general first: what is further down decides. */
export function Layers({ me, app }: { me: Moderator; app: string }) {
  const t = useText()
  const q = useApi('/policies', { query: { app_id: app } })
  const [adding, setAdding] = useState(false)
  return (
    <Card title={t('policies.layers')} actions={can(me.role, 'policy.edit') && <Button className="button small" onPress={() => setAdding(true)}>{t('policies.new_layer')}</Button>}>
      <p className="muted">{t('policies.layers_text')}</p>
      <Loaded of={q}>
        {({ policies }) => (
          <ol className="layers">
            {layerKinds.map((kind) => {
              const of = policies.filter((p) => kindOf(p.layer, p.name) === kind && p.layer !== 'settings' && p.layer !== 'list')
              return (
                <li key={kind} className="layer-kind">
                  <h3>{t(`policies.kind_${kind}`)}</h3>
                  <p className="muted small">{t(`policies.kind_${kind}_text`)}</p>
                  {of.length === 0 ? <p className="muted small">{t('policies.no_layer')}</p> : (
                    <ul className="layer-list">{of.map((p) => (
                      <li key={p.name}>
                        <a href={placeOf(['policies', 'at', p.layer, p.name])}><bdi>{shownName(p.name)}</bdi></a> <Source of={p.source} />
                        {p.version > 0 && <span className="muted small">{t('policies.version', { n: p.version })}</span>}
                        {p.changed_at && <span className="muted small"><bdi>{p.by}</bdi>, <Time at={p.changed_at} rel /></span>}
                      </li>
                    ))}</ul>
                  )}
                </li>
              )
            })}
          </ol>
        )}
      </Loaded>
      <NewLayer open={adding} onOpen={setAdding} />
    </Card>
  )
}

function NewLayer({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const t = useText()
  const [kind, setKind] = useState<LayerKind>('channel')
  const [name, setName] = useState('')
  const ready = kind === 'global' || name.trim() !== ''
  return (
    <Window open={open} onOpen={onOpen} title={t('policies.new_layer')}>
      <form className="form" onSubmit={(e) => { e.preventDefault(); if (!ready) return; const s = storedAs(kind, name.trim()); onOpen(false); goTo(placeOf(['policies', 'at', s.layer, s.name])) }}>
        <label className="input"><span>{t('policies.kind')}</span>
          <select value={kind} onChange={(e) => setKind(e.target.value as LayerKind)}>{layerKinds.filter((k) => k !== 'base').map((k) => <option key={k} value={k}>{t(`policies.kind_${k}`)}</option>)}</select></label>
        <p className="muted small">{t(`policies.kind_${kind}_text`)}</p>
        {kind !== 'global' && <label className="input"><span>{t('common.name')}</span><input value={name} maxLength={128} spellCheck={false} autoComplete="off" onChange={(e) => setName(e.target.value)} /></label>}
        <div className="dialog-buttons"><Button type="submit" className="button primary" isDisabled={!ready}>{t('policies.open_layer')}</Button></div>
      </form>
    </Window>
  )
}
