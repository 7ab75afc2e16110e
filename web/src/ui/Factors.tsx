import { useLanguage, useText } from '../i18n/text'
import { useApi } from '../lib/query'
import { plain, signed } from '../lib/words'

/** What factors and reasons are called: the gateway's catalogue, and the app's own rules. */
export function useFactorNames(app: string): (code: string) => string {
  const language = useLanguage()
  const key = language === 'zh-Hans' || language === 'zh-Hant' ? 'zh' : language
  const all = useApi('/economy/catalogue')
  const own = useApi('/economy/rules', { query: { app_id: app } })
  const codes = [...(all.data?.codes ?? []), ...(own.data?.codes ?? [])]
  return (code) => codes.find((c) => c.code === code)?.[key] || plain(code)
}

/** Factors are the reasons of a score, gravest first; what lowers it says so. */
export function Factors({ of, app, most = 4 }: { of: readonly { factor: string; score: number }[]; app: string; most?: number }) {
  const t = useText()
  const name = useFactorNames(app)
  if (!of.length) return <span className="muted">{t('economy.no_factors')}</span>
  return <ul className="factors">{of.slice(0, most).map((f) => <li key={f.factor}>{name(f.factor)} <span className="num muted">{signed(f.score)}</span></li>)}{of.length > most && <li className="muted">{t('economy.more_factors', { n: of.length - most })}</li>}</ul>
}
