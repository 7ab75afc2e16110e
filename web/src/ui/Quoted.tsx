import { useMemo } from 'react'
import { useText } from '../i18n/text'
import { codePoints, dots, pieces } from '../lib/text'
import type { Position } from '../lib/wire'

interface Props { text: string; lang?: string | undefined; hits?: readonly Position[] | undefined }

/** Quoted shows a player's words: text alone, isolated in its own direction, hits marked. */
export function Quoted({ text, lang, hits }: Props) {
  const t = useText()
  const parts = useMemo(() => pieces(text, hits), [text, hits])
  return (
    <bdi className="quoted" lang={lang || undefined} dir="auto">
      {parts.map((p, i) => {
        const body = p.control ? <span className="control" title={t('common.hidden_control')}>{p.control}</span> : p.text
        return p.hit ? <mark key={i}>{body}</mark> : <span key={i}>{body}</span>
      })}
    </bdi>
  )
}

/** Hidden stands for words that were not asked for; the words are not in the page. */
export function Hidden({ text }: { text: string }) {
  const t = useText()
  const n = codePoints(text)
  return (
    <span className="hidden-text">
      <span aria-hidden="true">{n ? dots(text) : t('common.no_text')}</span>
      <span className="sr-only">{t('common.content_hidden', { n })}</span>
    </span>
  )
}
