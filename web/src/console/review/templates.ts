// Reasons that are given often. They say what was seen, in the language of who
// decides; the words can be changed before they are sent.
import type { TextKey } from '../../i18n/text'
import { can, type Role } from '../../lib/roles'
import type { Case } from './calls'

export type Side = 'approve' | 'reject'

const content: Record<Side, TextKey[]> = {
  approve: ['review.why_nothing', 'review.why_banter', 'review.why_quoted', 'review.why_game', 'review.why_filter'],
  reject: ['review.why_clear', 'review.why_aimed', 'review.why_repeated', 'review.why_evaded', 'review.why_context'],
}
const appeal: Record<Side, TextKey[]> = {
  approve: ['review.why_wrong', 'review.why_missing', 'review.why_heavy'],
  reject: ['review.why_right', 'review.why_beside'],
}
const economy: Record<Side, TextKey[]> = {
  approve: ['review.why_ordinary', 'review.why_shared'],
  reject: ['review.why_factors', 'review.why_same_person'],
}
const voice: Record<Side, TextKey[]> = {
  approve: ['review.why_voice_other', 'review.why_voice_shared'],
  reject: ['review.why_voice_same'],
}

/** The reasons to choose from, for one side of a case. */
export function templates(c: Pick<Case, 'kind' | 'economy'>, side: Side): TextKey[] {
  if (c.kind === 'appeal') return appeal[side]
  if (c.economy?.link?.by === 'voice') return voice[side]
  if (c.kind === 'risk' || c.kind === 'ban_evasion') return economy[side]
  return content[side]
}

/** The rule that a decision rests on, where nobody has written another. */
export function ruleOf(c: Pick<Case, 'kind' | 'category' | 'sub_label'>, category = c.category ?? ''): string {
  if (category) return category === c.category && c.sub_label ? `${category}/${c.sub_label}` : category
  return c.kind ?? 'content'
}

/** Whether a case may be taken back by who decided it. */
export const mayUndo = (role: Role): boolean => can(role, 'cases.decide')

/** Reasons for which a case is passed over. */
export const skips: TextKey[] = ['review.skip_language', 'review.skip_known', 'review.skip_hard', 'review.skip_unsure']
