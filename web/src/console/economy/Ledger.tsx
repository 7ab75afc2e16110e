import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { csv, download } from '../../lib/csv'
import { number, plain } from '../../lib/words'
import { DownloadIcon } from '../../ui/icons'
import { Table } from '../../ui/Table'
import { Time } from '../../ui/Time'
import { LedgerLink } from './parts'

interface Money { type: string; amount: number }
interface Stack { item_id: string; count: number }
/** A line of the game's logs, under the names that it came with. */
export interface Line {
  log: 'currency' | 'item' | 'trade' | 'advert'; log_id: string; timestamp: number
  currency_type?: string; item_id?: string; action?: string; amount?: number; count?: number; balance_after?: number; count_after?: number
  source?: string; counterparty_id?: string; sender_id?: string; receiver_id?: string; sub_label?: string; status?: string; trade_type?: string
  items?: Stack[]; return_items?: Stack[]; currency?: Money; return_currency?: Money
}

const gains = new Set(['earn', 'acquire', 'transfer_in', 'purchase', 'grant'])
const iso = (ms: number) => new Date(ms).toISOString()
const sum = (items: Stack[] | undefined, money: Money | undefined) => [...(money ? [`${number(money.amount)} ${money.type}`] : []), ...(items ?? []).map((i) => `${number(i.count)} × ${i.item_id}`)].join(', ')

/** What a line moved, with its sign, in one text. */
export function moved(l: Line): string {
  if (l.log === 'advert') return plain(l.sub_label ?? '')
  if (l.log === 'trade') return `${sum(l.items, l.currency) || '0'} → ${sum(l.return_items, l.return_currency) || '0'}`
  const sign = gains.has(l.action ?? '') ? '+' : '−'
  return l.log === 'currency' ? `${sign}${number(l.amount ?? 0)} ${l.currency_type ?? ''}` : `${sign}${number(l.count ?? 0)} × ${l.item_id ?? ''}`
}

/** Ledger is what the game logged of a player, newest first. */
export function Ledger({ rows, player }: { rows: readonly Line[]; player: string }) {
  const t = useText()
  const other = (l: Line) => (l.log === 'trade' ? (l.sender_id === player ? l.receiver_id : l.sender_id) : l.counterparty_id)
  const save = () => download(`ledger-${player}.csv`, csv(['time', 'log', 'id', 'action', 'moved', 'after', 'source', 'other'], rows.map((l) => [iso(l.timestamp), l.log, l.log_id, l.action, moved(l), l.balance_after ?? l.count_after, l.source ?? l.trade_type, other(l)])))
  return (
    <>
      <div className="row-of"><span className="grow" /><Button className="link-button small" onPress={save}><DownloadIcon size={14} />CSV</Button></div>
      <Table label={t('economy.ledger')} rows={rows} rowKey={(l) => `${l.log}/${l.log_id}`} columns={[
        { key: 'at', head: t('common.time'), cell: (l) => <Time at={iso(l.timestamp)} full />, sort: (l) => l.timestamp, width: 'minmax(150px, 1fr)' },
        { key: 'log', head: t('economy.log'), cell: (l) => <>{t(`economy.log_${l.log}`)}{l.action && <span className="muted"> {plain(l.action)}</span>}{l.status && l.status !== 'completed' && <span className="muted"> {plain(l.status)}</span>}</>, sort: (l) => l.log },
        { key: 'moved', head: t('economy.moved'), cell: (l) => <bdi>{moved(l)}</bdi>, width: 'minmax(0, 1.5fr)' },
        { key: 'after', head: t('economy.after'), num: true, cell: (l) => { const n = l.balance_after ?? l.count_after; return n === undefined ? '–' : number(n) } },
        { key: 'source', head: t('economy.source'), cell: (l) => <bdi>{l.source ?? l.trade_type ?? '–'}</bdi>, sort: (l) => l.source ?? '' },
        { key: 'other', head: t('economy.other'), cell: (l) => { const o = other(l); return o ? <LedgerLink id={o} /> : '–' }, sort: (l) => other(l) ?? '' },
      ]} />
    </>
  )
}
