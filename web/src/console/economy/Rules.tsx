import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useApi } from '../../lib/query'
import { can } from '../../lib/roles'
import type { Moderator } from '../../lib/wire'
import { Window } from '../../ui/ActDialog'
import { Field } from '../../ui/Field'
import { Card, Empty, Loaded } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { goTo, placeOf } from '../route'

const tones: Record<string, string> = { draft: 'seen', shadow: 'hold', live: 'pass', retired: 'seen' }

export function RuleState({ of }: { of: 'draft' | 'shadow' | 'live' | 'retired' }) {
  const t = useText()
  return <span className={`chip chip-${tones[of]}`}>{t(`economy.rule_${of}`)}</span>
}

/** Rules are the studio's own, beside the model. */
export function Rules({ me, app }: { me: Moderator; app: string }) {
  const t = useText()
  const q = useApi('/economy/rules', { query: { app_id: app } })
  const [adding, setAdding] = useState(false)
  const [name, setName] = useState('')
  const fits = /^[a-z0-9][a-z0-9_-]{0,47}$/.test(name)
  return (
    <Card title={t('economy.tab_rules')} actions={can(me.role, 'policy.edit') && <Button className="button small" onPress={() => setAdding(true)}>{t('economy.new_rule')}</Button>}>
      <p className="muted small">{t('economy.rules_text')}</p>
      <Loaded of={q} isEmpty={(d) => d.rules.length === 0} empty={<Empty title={t('economy.no_rules')} text={t('economy.no_rules_text')} />}>
        {({ rules }) => <Table label={t('economy.tab_rules')} rows={rules} rowKey={(r) => r.name} onOpen={(r) => goTo(placeOf(['economy', 'rules', r.name]))} columns={[
          { key: 'name', head: t('common.name'), cell: (r) => <a href={placeOf(['economy', 'rules', r.name])}>{r.name}</a>, sort: (r) => r.name },
          { key: 'state', head: t('economy.state'), cell: (r) => <RuleState of={r.state} />, sort: (r) => r.state },
          { key: 'on', head: t('economy.rule_on'), cell: (r) => t(`economy.on_${r.on}`), sort: (r) => r.on },
          { key: 'when', head: t('economy.when'), cell: (r) => <code className="value">{r.when}</code>, width: 'minmax(0, 2.4fr)' },
          { key: 'at', head: t('policies.changed_at'), cell: (r) => <><bdi>{r.by}</bdi>, <Time at={r.changed_at} rel /></>, sort: (r) => r.changed_at },
        ]} />}
      </Loaded>
      <Window open={adding} onOpen={setAdding} title={t('economy.new_rule')}>
        <form className="form" onSubmit={(e) => { e.preventDefault(); if (fits) goTo(placeOf(['economy', 'rules', name])) }}>
          <Field label={t('common.name')} hint={t('lists.name_hint')} value={name} onChange={setName} autoComplete="off" />
          <div className="dialog-buttons"><Button type="submit" className="button primary" isDisabled={!fits}>{t('policies.open_layer')}</Button></div>
        </form>
      </Window>
    </Card>
  )
}
