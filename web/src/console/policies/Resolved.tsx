import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useText, type TextKey } from '../../i18n/text'
import { http } from '../../lib/http'
import { categoryName, number, plain } from '../../lib/words'
import { Card, Loaded } from '../../ui/Page'
import { Table } from '../../ui/Table'
import { replaceRoute } from '../route'
import { Setting, Value } from './parts'

const asks = ['scene_id', 'region', 'language', 'segment', 'player_id'] as const
const kinds = ['text', 'name', 'image', 'audio', 'video'] as const
/** What a picture or a sound is for, the usual one first; it selects the layer of the game mode. */
const uses: Record<string, readonly string[]> = { image: ['upload', 'avatar', 'screenshot', 'skin', 'guild_emblem'], audio: ['clip', 'voice'] }

/** Resolved says which rules hold for an item, and which layer set what over which. */
export function Resolved({ app, query }: { app: string; query: string }) {
  const t = useText()
  const [asked, setAsked] = useState<Record<string, string>>(() => Object.fromEntries(new URLSearchParams(query)))
  const use = uses[asked['kind'] ?? '']
  const body = Object.fromEntries(Object.entries(asked).filter(([k, v]) => v !== '' && (k === 'use' ? use?.includes(v) : [...asks, 'kind', 'at'].includes(k as 'kind'))).map(([k, v]) => [k, k === 'at' && v ? new Date(v).toISOString() : v]))
  const q = useQuery({ queryKey: ['/policies/resolve', app, body], queryFn: () => http.post('/policies/resolve', { query: { app_id: app }, body }), placeholderData: (last) => last })
  const set = (k: string, v: string) => {
    const next = { ...asked, [k]: v }
    setAsked(next)
    replaceRoute('/policies/resolved', String(new URLSearchParams(Object.entries(next).filter(([, x]) => x !== ''))))
  }
  return (
    <>
      <Card title={t('policies.question')}>
        <div className="fields">
          {asks.map((k) => <label key={k} className="input"><span>{t(`policies.ask_${k}`)}</span><input value={asked[k] ?? ''} maxLength={128} spellCheck={false} onChange={(e) => set(k, e.target.value)} /></label>)}
          <label className="input"><span>{t('policies.ask_kind')}</span><select value={asked['kind'] ?? 'text'} onChange={(e) => set('kind', e.target.value)}>{kinds.map((k) => <option key={k} value={k}>{plain(k)}</option>)}</select></label>
          {use && <label className="input"><span>{t('policies.ask_use')}</span><select value={asked['use'] ?? use[0]} onChange={(e) => set('use', e.target.value)}>{use.map((u) => <option key={u} value={u}>{plain(u)}</option>)}</select></label>}
          <label className="input"><span>{t('policies.ask_at')}</span><input type="datetime-local" value={asked['at'] ?? ''} onChange={(e) => set('at', e.target.value)} /></label>
        </div>
      </Card>
      <Loaded of={q}>
        {(x) => (
          <>
            <Card title={t('policies.layers_that_hold')}>
              <ol className="crumbs">{x.layers.map((l) => <li key={l}><code>{l}</code></li>)}</ol>
              {x.windows.length > 0 && <p>{t('policies.open_windows')}: {x.windows.map((w) => <code key={w}>{w}</code>)}</p>}
              {x.game_mode && <p className="muted">{t('policies.game_mode')}: <code>{x.game_mode}</code></p>}
            </Card>
            <div className="cards">
              <Card title={t('policies.rules')}>
                <Table label={t('policies.rules')} rows={x.rules} rowKey={(r) => `${r.category}/${r.sub_label ?? ''}`} columns={[
                  { key: 'cat', head: t('policies.category'), cell: (r) => <>{categoryName(r.category)}{r.sub_label && `: ${plain(r.sub_label)}`}{r.mandatory && <span className="chip chip-block">{t('policies.mandatory')}</span>}</>, sort: (r) => `${r.category}/${r.sub_label ?? ''}`, width: 'minmax(0, 1.6fr)' },
                  { key: 'strict', head: t('policies.strictness'), cell: (r) => (r.enabled ? t(`policies.strict_${r.strictness}` as TextKey) : t('policies.off')), sort: (r) => r.strictness },
                  { key: 'act', head: t('policies.action'), cell: (r) => t(`policies.act_${r.action}` as TextKey), sort: (r) => r.action },
                ]} />
              </Card>
              <Card title={t('policies.who_set_what')}>
                <Table label={t('policies.who_set_what')} rows={x.settings} rowKey={(s) => s.pointer} columns={[
                  { key: 'p', head: t('policies.setting'), cell: (s) => <Setting at={s.pointer} />, sort: (s) => s.pointer, width: 'minmax(0, 1.7fr)' },
                  { key: 'v', head: t('policies.value'), cell: (s) => <Value of={s.value as never} at={s.pointer} /> },
                  { key: 'l', head: t('policies.layer'), cell: (s) => <code className="small">{s.layer}</code>, sort: (s) => s.layer, width: 'minmax(0, 1.2fr)' },
                  { key: 'o', head: t('policies.overrides'), cell: (s) => (s.overridden.length ? s.overridden.map((o) => <s key={o}><code className="small">{o}</code></s>) : '–'), width: 'minmax(0, .8fr)' },
                ]} />
                {x.words.length > 0 && <Table label={t('policies.words')} rows={x.words} rowKey={(w) => w.source} columns={[
                  { key: 's', head: t('policies.words_of'), cell: (w) => <code>{w.source}</code> },
                  { key: 'p', head: t('policies.prohibited'), num: true, cell: (w) => number(w.prohibited) }, { key: 'e', head: t('policies.exceptions'), num: true, cell: (w) => number(w.exceptions) },
                ]} />}
              </Card>
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}
