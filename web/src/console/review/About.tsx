// What a case is about besides its words: reports, an appeal, what the economy found.
import { useText } from '../../i18n/text'
import { categoryName, fineNumber, fullTime, plain, share } from '../../lib/words'
import { useFactorNames } from '../../ui/Factors'
import { Card } from '../../ui/Page'
import { CaseLink, PlayerLink } from '../../ui/PlayerLink'
import { Quoted } from '../../ui/Quoted'
import { Time } from '../../ui/Time'
import type { CaseFile } from './calls'

/** Reports are what other players say of it. */
export function Reports({ file }: { file: CaseFile }) {
  const t = useText()
  if (!file.reports.length) return null
  return (
    <Card title={t('review.reports', { n: file.reporters ?? file.reports.length })}>
      <ul className="past">
        {file.reports.map((r) => (
          <li key={r.report_id}>
            <PlayerLink app={file.app_id} id={r.reporter_id} /> <span className="chip chip-seen"><bdi>{plain(r.reason)}</bdi></span>{' '}
            <span className="muted small">{t('review.weight', { share: share(r.weight), times: r.times })} · <Time at={r.created_at} rel /></span>
            {r.detail && <p><Quoted text={r.detail} /></p>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Appeal is the player's words, and what they are against: who decided it, and why. */
export function Appeal({ file }: { file: CaseFile }) {
  const t = useText()
  const { appeal: a, parent: p } = file
  if (!a) return null
  const penalty = file.penalties.find((x) => x.penalty_id === a.penalty_id)
  return (
    <Card title={t('review.appeal')}>
      <blockquote className="words-of-player">{a.words ? <Quoted text={a.words} /> : <span className="muted">{t('review.no_words')}</span>}</blockquote>
      <p className="muted small">{t('review.appeal_filed', { by: a.filed_by, at: fullTime(a.created_at) })}</p>
      {p && (
        <section className="original" aria-label={t('review.original')}>
          <h3>{t('review.original')} <CaseLink id={p.case_id}>{t('review.open_case')}</CaseLink></h3>
          <dl className="facts">
            <div><dt>{t('review.decision')}</dt><dd>{t(p.decision === 'reject' ? 'review.rejected' : 'review.approved')}{p.category && ` · ${categoryName(p.category)}`}</dd></div>
            <div><dt>{t('review.by')}</dt><dd><bdi>{p.by}</bdi>{p.decided_at && <>, <Time at={p.decided_at} full /></>}</dd></div>
            <div><dt>{t('review.rule_named')}</dt><dd><bdi>{p.policy ?? '–'}</bdi></dd></div>
            <div><dt>{t('review.statement_of_reasons')}</dt><dd><bdi>{p.reason ?? '–'}</bdi></dd></div>
            {p.note && <div><dt>{t('review.note')}</dt><dd><bdi>{p.note}</bdi></dd></div>}
          </dl>
        </section>
      )}
      {a.penalty_id && (
        <section className="original" aria-label={t('review.penalty')}>
          <h3>{t('review.penalty')}</h3>
          <p>{penalty ? <>{plain(penalty.kind)} · {plain(penalty.state)} · <bdi>{penalty.reason}</bdi> ({penalty.by})</> : <code>{a.penalty_id}</code>}</p>
        </section>
      )}
      <p className="callout">{t('review.another_person')}</p>
    </Card>
  )
}

/** Economy is what the economy found by itself. */
export function Economy({ file }: { file: CaseFile }) {
  const t = useText()
  const name = useFactorNames(file.app_id)
  const e = file.economy
  if (!e) return null
  return (
    <Card title={t(file.kind === 'ban_evasion' ? 'review.evasion' : 'review.risk')}>
      {e.link?.by !== 'voice' && <p><strong>{t('review.risk_score', { n: e.risk_score })}</strong>{e.risk_level && <span className="muted"> · {plain(e.risk_level)}</span>} <span className="muted small"><Time at={e.found_at} full /></span></p>}
      {e.risk_factors.length > 0 && (
        <ul className="labels">
          {e.risk_factors.map((f) => <li key={f.factor} className="label"><span className="label-name">{name(f.factor)}</span><span className="label-confidence">{f.score}</span></li>)}
        </ul>
      )}
      {e.now && <p className="callout">{t(e.now.fallen ? 'review.risk_fell' : 'review.risk_rose', { n: e.now.risk_score, at: fullTime(e.now.at) })}</p>}
      {e.link && <LinkOf file={file} link={e.link} />}
      <p className="muted">{t('review.no_content')}</p>
    </Card>
  )
}

/** LinkOf is what ties the player to another: a device, an address, or, with how alike they are, the voice. */
function LinkOf({ file, link: l }: { file: CaseFile; link: NonNullable<NonNullable<CaseFile['economy']>['link']> }) {
  const t = useText()
  const other = <PlayerLink app={file.app_id} id={l.banned_player_id} />
  if (l.by !== 'voice') return <p>{t('review.linked', { by: l.by, accounts: l.accounts })} {other} <span className="muted small">{t('review.banned_at', { at: fullTime(l.banned_at) })}</span></p>
  return (
    <>
      <p>{t('review.linked_voice')} {other} <span className="muted small">{t('review.penalty_at', { at: fullTime(l.banned_at) })}</span></p>
      {l.voice && <p>{t('review.voice_like', { similarity: fineNumber(l.voice.similarity), threshold: fineNumber(l.voice.threshold), seconds: Math.round(l.voice.spoken_ms / 1000) })}</p>}
    </>
  )
}
