import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { ActDialog } from '../../ui/ActDialog'
import { Card } from '../../ui/Page'
import { toast } from '../../ui/Toast'
import { useBank } from './change'
import { isGrave, StateChip, type Bank, type BankFound } from './parts'

const ways: Record<Bank['state'], readonly Bank['state'][]> = { test: ['live', 'retired'], live: ['test', 'retired'], retired: ['test'] }

/** BankState says whether the bank counts, and moves it. Where the matter is grave its name is typed before. */
export function BankState({ bank, app, may }: { bank: BankFound; app: string; may: boolean }) {
  const t = useText()
  const [to, setTo] = useState<Bank['state'] | ''>('')
  const store = useBank(bank, app)
  return (
    <Card title={t('banks.state')} actions={<StateChip of={bank.state} />}>
      <p className="small">{t(`banks.state_${bank.state}_text`)}</p>
      {may && <div className="row-of">{ways[bank.state].map((s) => <Button key={s} className={`button small${s === 'retired' ? ' danger' : ''}`} onPress={() => setTo(s)}>{t(`banks.to_${s}`)}</Button>)}</div>}
      <ActDialog open={to !== ''} onOpen={(on) => { if (!on) setTo('') }} title={t(`banks.to_${to || 'live'}`)} confirm={t(`banks.to_${to || 'live'}`)} danger={to === 'retired'} reason="none"
        {...(isGrave(bank.category) ? { typed: bank.name } : {})}
        run={async () => { await store.mutateAsync({ state: to || 'test' }); toast(t('banks.stored')) }}>
        <p>{t(`banks.state_${to || 'live'}_text`)}</p>
      </ActDialog>
    </Card>
  )
}
