import { useState } from 'react'
import { useText } from '../../i18n/text'
import type { Body } from '../../lib/layer'
import { ActDialog } from '../../ui/ActDialog'

/** RolloutDialog begins a rollout: its tests, a line each, and why. */
export function RolloutDialog({ open, onOpen, run }: { open: boolean; onOpen: (open: boolean) => void; run: (comment: string, tests: Body[]) => Promise<unknown> }) {
  const t = useText()
  const [lines, setLines] = useState('')
  const { tests, wrong } = readTests(lines)
  return (
    <ActDialog open={open} onOpen={onOpen} title={t('policies.begin_rollout')} confirm={t('policies.begin')} reason="optional" ready={wrong.length === 0} run={(why) => run(why, tests)}>
      <p>{t('policies.rollout_text')}</p>
      <label className="input"><span>{t('policies.rollout_tests')}</span>
        <textarea rows={5} className="mono" spellCheck={false} value={lines} placeholder={'block  buy gold at x.example\npass  good game'} aria-invalid={wrong.length > 0 || undefined} onChange={(e) => setLines(e.target.value)} /></label>
      {wrong.length > 0 ? <p className="fault" role="alert">{t('policies.tests_wrong', { lines: wrong.join(', ') })}</p> : <p className="muted small">{t('policies.tests_count', { n: tests.length })}</p>}
    </ActDialog>
  )
}

/** readTests reads a test a line: what it must come to, then the content. */
export function readTests(text: string): { tests: Body[]; wrong: number[] } {
  const tests: Body[] = []
  const wrong: number[] = []
  text.split('\n').forEach((line, i) => {
    if (!line.trim()) return
    const m = /^\s*(pass|review|block)(?:\/(\w+))?[\s:]+(.+)$/.exec(line)
    if (!m) { wrong.push(i + 1); return }
    tests.push({ content: m[3] as string, expect: { suggestion: m[1] as string, ...(m[2] ? { category: m[2] } : {}) } })
  })
  return { tests, wrong }
}
