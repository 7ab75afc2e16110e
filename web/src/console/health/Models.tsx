import { useText, type TextKey } from '../../i18n/text'
import { useApi } from '../../lib/query'
import type { Model } from '../../lib/wire'
import { bytes, plain } from '../../lib/words'
import { Card, Loaded } from '../../ui/Page'

const kinds: Record<string, TextKey> = { library: 'health.kind_library', image: 'health.kind_image', ocr: 'health.kind_ocr', own: 'health.kind_own' }
const states: Record<Model['state'], [TextKey, string]> = {
  loaded: ['health.loaded', 'chip-pass'], failed: ['health.not_loaded', 'chip-block'], missing: ['health.not_fetched', 'chip-review'], unused: ['health.not_asked', 'chip-seen'],
}

/** Models says which models there are, and what is detected by them and what isn't. */
export function Models() {
  const t = useText()
  const models = useApi('/models', {}, { every: 30_000 })
  return (
      <Loaded of={models}>
        {(m) => (
          <>
            <Card title={t('health.in_pictures')}>
              <div className="scrolls" tabIndex={0} role="group" aria-label={t('health.in_pictures')}><table className="sheet">
                <thead><tr><th scope="col">{t('health.category')}</th><th scope="col">{t('health.what')}</th><th scope="col">{t('health.by_model')}</th><th scope="col">{t('health.besides')}</th></tr></thead>
                <tbody>
                  {m.categories.map((c) => (
                    <tr key={`${c.category} ${c.what}`}>
                      <th scope="row">{plain(c.category)}</th>
                      <td>{c.what}</td>
                      <td>{c.state === 'model' ? <span className="chip chip-pass">{c.models.join(', ')}</span> : <span className="chip chip-seen">{t('health.no_model')}</span>}</td>
                      <td className="muted">{c.besides || '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table></div>
            </Card>
            <Card title={t('health.of_gateway')} actions={<span className="muted small">{m.runtime || t('health.no_runtime')}</span>}>
              <ul className="model-list">{m.models.map((x) => <ModelCard key={x.id} model={x} />)}</ul>
            </Card>
          </>
        )}
      </Loaded>
  )
}

function ModelCard({ model: m }: { model: Model }) {
  const t = useText()
  const [word, chip] = states[m.state]
  return (
    <li className="model">
      <p className="model-name"><strong>{m.name}</strong> <span className={`chip ${chip}`}>{t(word)}</span></p>
      <p className="muted small">{[m.id, kinds[m.kind] ? t(kinds[m.kind] as TextKey) : m.kind, m.version && t('health.version', { version: m.version }), m.licence, m.package].filter(Boolean).join(' · ')}</p>
      {m.reason && <p role="status">{m.reason}</p>}
      {m.detects.length > 0 && <ul className="model-detects">{m.detects.map((d) => <li key={`${d.category} ${d.sub_label} ${d.what}`}><span className="cat">{plain(d.category)}{d.sub_label && ` / ${plain(d.sub_label)}`}</span> {d.what}</li>)}</ul>}
      {m.limits && <p>{m.limits}</p>}
      <details>
        <summary>{t('health.origin')}</summary>
        {m.origin && <p>{m.origin}</p>}
        <ul>{m.files.map((f) => <li key={f.name}><code>{f.name}</code> {f.bytes > 0 && bytes(f.bytes)} {f.sha256 && <code className="sha">sha256 {f.sha256}</code>}</li>)}</ul>
      </details>
    </li>
  )
}
