// Lines to try: harmless ones, and mild ones that a policy should notice.
import type { Scene } from '../lib/wire'
import { modeName } from '../lib/words'

export interface Language { tag: string; name: string; lines: string[] }

export const languages: Language[] = [
  { tag: 'en', name: 'English', lines: ['gg wp', 'anyone for the raid at nine?', 'you idiot', 'k i l l y o u r s e l f', 'cheap gold, fast delivery, whisper me'] },
  { tag: 'ja', name: '日本語', lines: ['ナイスファイト！', '次もよろしくお願いします', 'バカじゃないの', '死ね', '激安ゴールド販売中、即納'] },
  { tag: 'zh-Hans', name: '中文', lines: ['打得漂亮', '再来一局吧', '你这个傻瓜', '去死吧', '便宜金币，加微信秒发'] },
  { tag: 'ko', name: '한국어', lines: ['수고하셨습니다', '한 판 더 하실 분?', '이 바보야', '죽어', '골드 팝니다 카톡 주세요'] },
]

const titles: Record<string, string> = { 'demo-mask': 'Masking' }
const stories: Record<string, string> = {
  'demo-mask': 'The message arrives, the words that break the rules do not: they become stars before anybody sees them.',
  real_time_block: 'Each message is checked before anybody sees it. Clear violations are dropped, doubtful ones are delivered and put before a moderator.',
  deferred_review: 'Messages arrive at once and are checked right after. What should not have passed is taken back from every screen.',
  pre_review: 'Nobody else sees a message before it was found clear. What is doubtful waits for a moderator. Meant for official events and for rooms with minors.',
  monitor_only: 'Nothing is stopped. What would have happened is only recorded, so that a policy can be judged before it acts.',
}

export const sceneTitle = (s: Scene) => titles[s.scene_id] ?? modeName(s.mode)
export const sceneStory = (s: Scene) => stories[s.scene_id] ?? stories[s.mode] ?? s.note ?? ''
