import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { faultsAt, put, termOf, type Body, type Json } from '../../lib/layer'
import { categoryName, number } from '../../lib/words'
import { Window } from '../../ui/ActDialog'
import { FaultsAt } from '../../ui/Faults'
import { Card } from '../../ui/Page'
import { Quoted } from '../../ui/Quoted'
import { Table } from '../../ui/Table'
import type { Draft } from './useDraft'

type Kind = 'prohibited' | 'exceptions'
interface Props { d: Draft; kind: Kind; may: boolean }
interface Row { at: number; term: string; word: Body }

const matches = ['word', 'substring', 'prefix', 'phrase']
const actions = ['block', 'review', 'warn', 'mask']
const categories = ['violence', 'sexual', 'hate', 'illegal', 'spam', 'harassment', 'political', 'privacy']
const asBody = (w: Json): Body => (typeof w === 'object' && w !== null && !Array.isArray(w) ? w : { term: String(w) })
/** A word that needs nothing but its term is written as the term alone. */
const asWord = (b: Body): Json => (Object.keys(b).length === 1 ? String(b['term']) : b)
const list = (v: Json | undefined): string[] => (Array.isArray(v) ? v.map(String) : [])

/** Words are the prohibited words or the exceptions of a layer or a list, each with what it must hit and must let pass. */
export function Words({ d, kind, may }: Props) {
  const t = useText()
  const [find, setFind] = useState('')
  const [open, setOpen] = useState<number | null>(null)
  const [pasting, setPasting] = useState(false)
  const words = (Array.isArray(d.body[kind]) ? d.body[kind] : []) as Json[]
  const rows: Row[] = words.map((w, i) => ({ at: i, term: termOf(w), word: asBody(w) })).filter((r) => !find || r.term.toLocaleLowerCase().includes(find.toLocaleLowerCase()))
  const set = (next: Json[]) => d.set(put(d.body, `/${kind}`, next.length ? next : undefined))
  const wrong = faultsAt(d.faults, `/${kind}`)
  return (
    <Card title={t(`policies.${kind}`)} actions={may && <><Button className="button small" onPress={() => setOpen(words.length)}>{t('policies.add_word')}</Button><Button className="button small" onPress={() => setPasting(true)}>{t('policies.paste_words')}</Button></>}>
      <p className="muted small">{t(`policies.${kind}_text`)}</p>
      {words.length > 8 && <label className="input find"><span className="sr-only">{t('policies.find_word')}</span><input type="search" value={find} placeholder={t('policies.find_word')} onChange={(e) => setFind(e.target.value)} /></label>}
      {wrong.length > 0 && <p className="fault" role="alert">{t('policies.faults', { n: wrong.length })}</p>}
      <Table label={t(`policies.${kind}`)} rows={rows} rowKey={(r) => String(r.at)} onOpen={(r) => setOpen(r.at)} empty={<p className="muted">{t('policies.no_words')}</p>} columns={[
        { key: 'term', head: t('policies.term'), sort: (r) => r.term, cell: (r) => <><Quoted text={r.term} lang={r.word['language'] as string | undefined} /><FaultsAt of={faultsAt(d.faults, `/${kind}/${r.at}`)} /></>, width: 'minmax(0, 1.6fr)' },
        { key: 'match', head: t('policies.match'), cell: (r) => (r.word['match'] ? t(`policies.match_${r.word['match'] as 'word'}`) : <span className="muted">{t('policies.usual')}</span>) },
        ...(kind === 'prohibited' ? [
          { key: 'what', width: 'minmax(96px, 1fr)', head: t('policies.category'), cell: (r: Row) => (r.word['category'] ? categoryName(String(r.word['category'])) : <span className="muted">{categoryName('harassment')}</span>) },
          { key: 'action', head: t('policies.action'), cell: (r: Row) => t(`policies.act_${(r.word['action'] ?? 'block') as 'block'}`) },
          { key: 'tests', head: t('policies.tests'), num: true, cell: (r: Row) => number(list(r.word['must_hit']).length + list(r.word['must_pass']).length) },
        ] : []),
        { key: 'expires', head: t('policies.expires'), cell: (r) => String(r.word['expires'] ?? '–') },
      ]} />
      {open !== null && <WordDialog kind={kind} may={may} word={asBody(words[open] ?? { term: '' })} faults={faultsAt(d.faults, `/${kind}/${open}`).map((f) => `${f.pointer.slice(`/${kind}/${open}`.length) || '/'} ${f.reason}`)} isNew={open >= words.length} onClose={() => setOpen(null)}
        onSave={(w) => set(open >= words.length ? [...words, asWord(w)] : words.map((x, i) => (i === open ? asWord(w) : x)))} onRemove={() => set(words.filter((_, i) => i !== open))} />}
      <Paste open={pasting} onOpen={setPasting} onPaste={(terms) => { const have = new Set(words.map(termOf)); set([...words, ...terms.filter((x) => !have.has(x))]) }} />
    </Card>
  )
}

function WordDialog({ kind, may, word, faults, isNew, onClose, onSave, onRemove }: { kind: Kind; may: boolean; word: Body; faults: string[]; isNew: boolean; onClose: () => void; onSave: (w: Body) => void; onRemove: () => void }) {
  const t = useText()
  const [w, setW] = useState(word)
  const set = (key: string, v: Json | undefined) => setW(put(w, `/${key}`, v === '' ? undefined : v))
  const text = (key: string, label: string, most = 200, type = 'text') => <label className="input"><span>{label}</span><input type={type} value={String(w[key] ?? '')} maxLength={most} spellCheck={false} onChange={(e) => set(key, e.target.value)} /></label>
  const pick = (key: string, label: string, of: readonly string[], say: (v: string) => string) => (
    <label className="input"><span>{label}</span><select value={String(w[key] ?? '')} onChange={(e) => set(key, e.target.value)}><option value="">{t('policies.usual')}</option>{of.map((v) => <option key={v} value={v}>{say(v)}</option>)}</select></label>
  )
  const lines = (key: string, label: string) => (
    <label className="input"><span>{label}</span><textarea rows={3} value={list(w[key]).join('\n')} spellCheck={false} onChange={(e) => set(key, e.target.value === '' ? undefined : e.target.value.split('\n'))} /></label>
  )
  const tidy = (): Body => {
    let out = w
    for (const key of ['must_hit', 'must_pass']) { const l = list(out[key]).filter((x) => x.trim() !== ''); out = put(out, `/${key}`, l.length ? l : undefined) }
    return out
  }
  return (
    <Window open onOpen={(o) => { if (!o) onClose() }} wide title={isNew ? t('policies.add_word') : t('policies.change_word')}>
      <form className="form" onSubmit={(e) => { e.preventDefault(); if (!may || !String(w['term'] ?? '').trim()) return; onSave(tidy()); onClose() }}>
        {faults.length > 0 && <ul className="callout warn" role="alert">{faults.map((f) => <li key={f}>{f}</li>)}</ul>}
        <fieldset disabled={!may} className="form"><legend className="sr-only">{t(`policies.${kind}`)}</legend>
          {text('term', t('policies.term'))}
          <div className="fields">
            {pick('match', t('policies.match'), matches, (m) => t(`policies.match_${m as 'word'}`))}
            {kind === 'prohibited' && pick('category', t('policies.category'), categories, categoryName)}
            {kind === 'prohibited' && text('sub_label', t('policies.sub_label'), 64)}
            {kind === 'prohibited' && pick('action', t('policies.action'), actions, (a) => t(`policies.act_${a as 'block'}`))}
            {kind === 'prohibited' && <label className="input"><span>{t('policies.severity')}</span><select value={String(w['severity'] ?? '')} onChange={(e) => set('severity', e.target.value === '' ? undefined : Number(e.target.value))}><option value="">{t('policies.usual')}</option>{[1, 2, 3, 4].map((n) => <option key={n}>{n}</option>)}</select></label>}
            {text('language', t('policies.language'), 35)}
            {text('expires', t('policies.expires'), 40, 'date')}
          </div>
          {text('note', t('common.note'), 500)}
          {kind === 'prohibited' && <>{lines('must_hit', t('policies.must_hit'))}{lines('must_pass', t('policies.must_pass'))}</>}
        </fieldset>
        <div className="dialog-buttons">
          {!isNew && may && <Button className="button danger" onPress={() => { onRemove(); onClose() }}>{t('policies.remove_word')}</Button>}
          <Button className="button" onPress={onClose}>{t('common.cancel')}</Button>
          {may && <Button type="submit" className="button primary" isDisabled={!String(w['term'] ?? '').trim()}>{t('policies.keep')}</Button>}
        </div>
      </form>
    </Window>
  )
}

function Paste({ open, onOpen, onPaste }: { open: boolean; onOpen: (open: boolean) => void; onPaste: (terms: string[]) => void }) {
  const t = useText()
  const [text, setText] = useState('')
  const terms = [...new Set(text.split('\n').map((x) => x.trim()).filter(Boolean))]
  return (
    <Window open={open} onOpen={onOpen} title={t('policies.paste_words')}>
      <form className="form" onSubmit={(e) => { e.preventDefault(); onPaste(terms); setText(''); onOpen(false) }}>
        <label className="input"><span>{t('policies.one_a_line')}</span><textarea rows={10} value={text} spellCheck={false} onChange={(e) => setText(e.target.value)} /></label>
        <div className="dialog-buttons"><Button type="submit" className="button primary" isDisabled={!terms.length}>{t('policies.add_words', { n: terms.length })}</Button></div>
      </form>
    </Window>
  )
}
