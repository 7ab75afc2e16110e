import { useState } from 'react'
import { Button } from 'react-aria-components'
import { useText } from '../../i18n/text'
import { useApi, useChange } from '../../lib/query'
import { can } from '../../lib/roles'
import { useStore } from '../../lib/store'
import type { Moderator } from '../../lib/wire'
import { ActDialog } from '../../ui/ActDialog'
import { Loaded, Page } from '../../ui/Page'
import { Time } from '../../ui/Time'
import { goTo, placeOf } from '../route'
import { useShortcuts } from '../shortcuts'
import { calls, type CaseFile } from './calls'
import { care } from './care'
import { CaseBody, firstSight, nextSight } from './CaseBody'
import { CaseHead, StateChip } from '../caseparts'
import type { Seen } from './Picture'

/** OneCase is a case by its address: to be read, taken, or taken back. */
export function OneCase({ id, me }: { id: string; me: Moderator }) {
  const t = useText()
  const q = useApi('/cases/{id}', { path: { id } })
  return <Page title={t('review.case')} className="review" actions={<a className="button small" href={placeOf(['review'])}>{t('review.to_work')}</a>}><Loaded of={q}>{(file) => <Shown file={file} me={me} />}</Loaded></Page>
}

function Shown({ file, me }: { file: CaseFile; me: Moderator }) {
  const t = useText()
  const { grey: greyed, words } = useStore(care)
  const [seen, setSeen] = useState<Seen>(firstSight(file, words))
  const [grey, setGrey] = useState(greyed)
  const [undoing, setUndoing] = useState(false)
  const [reopen, setReopen] = useState(false)
  const claim = useChange(() => calls.move(file.case_id, 'claim', {}), ['/cases', '/queues'])
  const free = useChange(() => calls.move(file.case_id, 'release', {}), ['/cases', '/queues'])
  const uncover = () => setSeen(nextSight(seen, file))
  useShortcuts({ uncover, grey: () => setGrey(!grey) })
  const may = can(me.role, 'cases.decide')
  const mine = file.assignee === me.name && file.state !== 'closed'
  const back = may && file.state === 'closed' && (file.by === me.name || can(me.role, 'cases.reverse'))
  return (
    <article className="case" aria-label={t('review.case')} data-case={file.case_id}>
      <CaseHead of={file}>
        <StateChip of={file} />
        {file.assignee && file.state !== 'closed' && <span className="small">{t('review.has_it', { name: file.assignee })} {file.until && <Time at={file.until} rel />}</span>}
        {may && (file.state === 'open' || file.state === 'escalated' || mine) && file.state !== 'closed' && (
          <Button className="button primary small" isDisabled={claim.isPending} onPress={() => claim.mutate(undefined, { onSuccess: () => goTo(placeOf(['review'], { first: file.case_id })) })}>{t(mine ? 'review.go_on_with' : 'review.claim')}</Button>
        )}
        {can(me.role, 'cases.reverse') && file.assignee && !mine && file.state !== 'closed' && <Button className="button small" isDisabled={free.isPending} onPress={() => free.mutate()}>{t('review.release_theirs')}</Button>}
        {back && <Button className="button small" onPress={() => setUndoing(true)}>{t('review.undo')}</Button>}
      </CaseHead>
      {(claim.error ?? free.error) && <p className="form-alert" role="alert">{(claim.error ?? free.error)?.message}</p>}
      {file.state === 'closed' && (
        <dl className="facts decided">
          <div><dt>{t('review.by')}</dt><dd><bdi>{file.by}</bdi>{file.decided_at && <>, <Time at={file.decided_at} full /></>}</dd></div>
          <div><dt>{t('review.rule_named')}</dt><dd><bdi>{file.policy ?? '–'}</bdi></dd></div>
          <div><dt>{t('review.reason')}</dt><dd><bdi>{file.reason ?? '–'}</bdi></dd></div>
          {file.note && <div><dt>{t('review.note')}</dt><dd><bdi>{file.note}</bdi></dd></div>}
        </dl>
      )}
      <CaseBody file={file} me={me} closed={!mine && !can(me.role, 'evidence.see')} seen={seen} grey={grey} onUncover={uncover} onGrey={() => setGrey(!grey)} />
      <Undo file={file} open={undoing} onOpen={setUndoing} reopen={reopen} onReopen={setReopen} />
    </article>
  )
}

interface UndoShape { file: CaseFile; open: boolean; onOpen: (open: boolean) => void; reopen: boolean; onReopen: (on: boolean) => void }

function Undo({ file, open, onOpen, reopen, onReopen }: UndoShape) {
  const t = useText()
  const undo = useChange((reason: string) => calls.move(file.case_id, 'undo', { reason, reopen }), ['/cases', '/queues', '/appeals'])
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('review.undo_title')} confirm={t('review.undo')} run={(reason) => undo.mutateAsync(reason)}>
      <p className="muted">{t('review.undo_text')}</p>
      <label className="check"><input type="checkbox" checked={reopen} onChange={(e) => onReopen(e.target.checked)} />{t('review.reopen')}</label>
    </ActDialog>
  )
}
