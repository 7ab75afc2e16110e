// A toy verdict for the mock server: a handful of words, no engine.
const bad = [
  { re: /k\W*i\W*l\W*l\W*\s*y\W*o\W*u\W*r\W*s\W*e\W*l\W*f/iu, category: 'violence', sub_label: 'threat', severity: 4, suggestion: 'block' },
  { re: /idiot|noob trash|バカ|傻瓜|바보/iu, category: 'harassment', sub_label: 'insult', severity: 2, suggestion: 'review' },
  { re: /cheap gold|激安ゴールド|便宜金币|골드 팝니다/iu, category: 'spam', sub_label: 'rmt', severity: 2, suggestion: 'review' },
]

export function judge(text, mode, mask) {
  const label = []
  const hits = []
  let worst = 'pass'
  for (const b of bad) {
    const m = b.re.exec(text)
    if (!m) continue
    const start = Array.from(text.slice(0, m.index)).length
    hits.push({ start, end: start + [...m[0]].length })
    label.push({ category: b.category, sub_label: b.sub_label, severity: b.severity, confidence: 0.6 + Math.random() * 0.39, source: 'lexicon' })
    if (worst !== 'block') worst = b.suggestion
  }
  const base = { label, hits, latency: Math.ceil(Math.random() * 3), suggestion: worst, action: 'deliver', case: false }
  if (mode === 'monitor_only') return worst === 'pass' ? base : { ...base, suggestion: 'pass', observed: worst }
  if (mode === 'pre_review') return worst === 'pass' ? base : worst === 'block' ? { ...base, action: 'drop' } : { ...base, action: 'hold', case: true }
  if (mask && worst !== 'pass') {
    const chars = [...text]
    for (const h of hits) for (let i = h.start; i < h.end; i++) if (chars[i] !== ' ') chars[i] = '*'
    return { ...base, suggestion: 'review', action: 'mask', masked: chars.join('') }
  }
  if (mode === 'deferred_review') return { ...base, action: worst === 'block' ? 'drop' : 'deliver', case: worst !== 'pass' }
  if (worst === 'block') return { ...base, action: 'drop', warn: true }
  return { ...base, case: worst === 'review' }
}

export const lines = [
  { text: 'gg wp everyone', lang: 'en' }, { text: 'push mid, they have no ult left', lang: 'en' }, { text: 'you idiot, why would you do that', lang: 'en' },
  { text: 'k i l l y o u r s e l f', lang: 'en' }, { text: '次の試合もよろしくお願いします', lang: 'ja' }, { text: 'バカじゃないの', lang: 'ja' },
  { text: '大家加油，再来一局', lang: 'zh-Hans' }, { text: '便宜金币 加微信 gold4u', lang: 'zh-Hans' }, { text: '다음 판도 같이 하자', lang: 'ko' },
  { text: '야 이 바보야', lang: 'ko' }, { text: 'cheap gold, fast delivery 💰 w w w . gold-4u . example', lang: 'en' }, { text: '😀👍🏽 nice one', lang: 'en' },
  { text: 'anyone up for the raid tonight at nine?', lang: 'en' }, { text: 'the boss drops it at about two percent, so keep going', lang: 'en' }, { text: 'lol', lang: 'en' },
]
