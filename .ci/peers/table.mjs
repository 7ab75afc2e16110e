// Prints the figures of all filters: table.mjs OURS.json PEERS.jsonl
import { readFileSync } from 'node:fs'

const [ours, peers] = process.argv.slice(2)
const report = JSON.parse(readFileSync(ours))
const all = [{ peer: 'portcullis', us: (report.seconds * 1e6) / report.rows, suites: report.groups.source }]
for (const line of readFileSync(peers, 'utf8').split('\n')) if (line !== '') all.push(JSON.parse(line))

const share = (a, b) => (b === 0 ? '-' : ((100 * a) / b).toFixed(2))
const cells = (name, { tp, fp, fn, tn }) => [
  name, tp + fn, fp + tn, share(tp, tp + fp), share(tp, tp + fn), share(2 * tp, 2 * tp + fp + fn), share(fp, fp + tn),
]
const sum = (suites) => {
  const total = { tp: 0, fp: 0, fn: 0, tn: 0 }
  for (const s of Object.values(suites)) for (const k of Object.keys(total)) total[k] += s[k]
  return total
}
const title = (f) => [f.peer, f.version, f.setting && `(${f.setting})`].filter(Boolean).join(' ')

const rows = [['all rows', 'toxic', 'clean', 'P %', 'R %', 'F1 %', 'FPR %', 'µs a message']]
for (const f of all) rows.push([...cells(title(f), sum(f.suites)), f.us.toFixed(1)])
for (const suite of Object.keys(report.groups.source).sort()) {
  rows.push([], [suite, 'toxic', 'clean', 'P %', 'R %', 'F1 %', 'FPR %'])
  for (const f of all) rows.push(cells('  ' + title(f), f.suites[suite]))
}
const widths = []
for (const r of rows) r.forEach((c, i) => (widths[i] = Math.max(widths[i] ?? 0, String(c).length)))
for (const r of rows) {
  console.log(r.map((c, i) => (i === 0 ? String(c).padEnd(widths[i]) : String(c).padStart(widths[i]))).join('  ').trimEnd())
}
for (const f of all) if (f.failed) console.log(`${title(f)} failed on ${f.failed} rows, which count as not flagged`)
