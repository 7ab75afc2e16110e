import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../../i18n/text'
import { layerAt, type LadderLayer, type LadderRules } from '../../../lib/ladder'
import { at, kindOf, put, shownName } from '../../../lib/layer'
import { useApi } from '../../../lib/query'
import { FaultsAt } from '../../../ui/Faults'
import { Fold } from '../../../ui/Fold'
import { Card } from '../../../ui/Page'
import type { Draft } from '../useDraft'
import { Rules } from './Rules'

/** Layered is what differs for content under layers of the app's policy. */
export function Layered({ d, app }: { d: Draft; app: string }) {
  const t = useText()
  const q = useApi('/policies', { query: { app_id: app } })
  const [open, setOpen] = useState('')
  const own = (at(d.body, '/layers') ?? {}) as unknown as Record<string, LadderLayer>
  const named = (id: string) => { const [layer = '', ...name] = id.split('/'); return `${t(`policies.kind_${kindOf(layer, name.join('/'))}`)}: ${shownName(name.join('/'))}` }
  const free = (q.data?.policies ?? []).filter((p) => !['base', 'list', 'settings'].includes(p.layer)).map((p) => `${p.layer}/${p.name}`).filter((id) => !(id in own))
  const add = (id: string) => { d.set(put(d.body, layerAt(id), { window_days: (at(d.body, '/window_days') as number | undefined) ?? 30 })); setOpen(id) }
  return (
    <Card title={t('ladder.layers')}>
      <p className="muted small">{t('ladder.layers_text')}</p>
      {Object.keys(own).length === 0 && <p className="muted">{t('ladder.no_layers')}</p>}
      <ul className="ladder-layers">
        {Object.keys(own).sort().map((id) => (
          <li key={id}>
            <div className="row-of">
              <Fold className="link-button" open={open === id} onOpen={(on) => setOpen(on ? id : '')}>{named(id)}</Fold>
              <span className="muted small">{Object.keys(own[id] ?? {}).map((k) => t(`ladder.says_${k as 'steps'}`)).join(', ')}</span>
              <span className="grow" />
              <Button className="link-button small" onPress={() => d.set(put(d.body, layerAt(id), undefined))}>{t('policies.remove_word')}<span className="sr-only">: {named(id)}</span></Button>
            </div>
            <FaultsAt of={d.faults.filter((f) => f.pointer === layerAt(id))} />
            {open === id && <div className="ladder-layer" role="group" aria-label={named(id)}><Rules d={d} of={named(id)} where={layerAt(id)} below={d.body as unknown as LadderRules} /></div>}
          </li>
        ))}
      </ul>
      <label className="input narrow-input"><span>{t('ladder.add_layer')}</span>
        <select value="" onChange={(e) => { if (e.target.value) add(e.target.value) }}>
          <option value="">{t('review.choose')}</option>
          {free.map((id) => <option key={id} value={id}>{named(id)}</option>)}
        </select></label>
    </Card>
  )
}
