import { useCallback, useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import { api, ApiError, explain } from '../lib/api'
import type { Model, Models } from '../lib/wire'
import { usePoll } from '../ui/hooks'

const kinds: Record<string, string> = { library: 'runs the others', image: 'looks at pictures', ocr: 'reads text in pictures', own: 'your own' }
const states: Record<Model['state'], [string, string]> = {
  loaded: ['loaded', 'chip-pass'], failed: ['not loaded', 'chip-block'], missing: ['not fetched', 'chip-review'], unused: ['not asked for', 'chip-seen'],
}
const size = (bytes: number) => (bytes > 0 ? `${(bytes / 1e6).toFixed(1)} MB` : '')
const words = (id: string) => id.replaceAll('_', ' ')

/** ModelsPage says which models look at pictures, and what is detected and what isn't. */
export function ModelsPage({ onEnded }: { onEnded: () => void }) {
  const [models, setModels] = useState<Models | null>(null)
  const [fault, setFault] = useState('')
  useEffect(() => { document.title = 'Models · Portcullis' }, [])
  const ask = useCallback(() => {
    api.models().then(
      (m) => { setModels(m); setFault('') },
      (err: unknown) => { if (err instanceof ApiError && err.code === 1002) onEnded(); else setFault(explain(err)) },
    )
  }, [onEnded])
  usePoll(ask, 30_000)

  return (
    <main className="models" id="main" tabIndex={-1}>
      <header className="models-head">
        <h1>Models</h1>
        <span className="muted">{models ? models.runtime || 'No runtime is loaded: no picture is looked at by a model.' : ''}</span>
      </header>
      {fault && <p className="callout" role="alert">{fault} <Button className="link-button" onPress={ask}>Try again</Button></p>}
      {!models && !fault && <p className="muted" role="status">Loading…</p>}
      {models && (
        <>
          <section aria-labelledby="covered">
            <h2 id="covered">What is detected in pictures</h2>
            <table className="sheet">
              <thead><tr><th scope="col">Category</th><th scope="col">What</th><th scope="col">By a model</th><th scope="col">Besides</th></tr></thead>
              <tbody>
                {models.categories.map((c) => (
                  <tr key={`${c.category} ${c.what}`}>
                    <th scope="row">{words(c.category)}</th>
                    <td>{c.what}</td>
                    <td>{c.state === 'model' ? <span className="chip chip-pass">{c.models.join(', ')}</span> : <span className="chip chip-seen">no model: not detected</span>}</td>
                    <td className="muted">{c.besides || '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <section aria-labelledby="have">
            <h2 id="have">Models of this gateway</h2>
            <ul className="model-list">{models.models.map((m) => <ModelCard key={m.id} model={m} />)}</ul>
          </section>
        </>
      )}
    </main>
  )
}

function ModelCard({ model: m }: { model: Model }) {
  const [word, chip] = states[m.state]
  return (
    <li className="model">
      <p className="model-name"><strong>{m.name}</strong> <span className={`chip ${chip}`}>{word}</span></p>
      <p className="muted small">{[m.id, kinds[m.kind] ?? m.kind, m.version && `version ${m.version}`, m.licence, m.package].filter(Boolean).join(' · ')}</p>
      {m.reason && <p role="status">{m.reason}</p>}
      {m.detects.length > 0 && <ul className="model-detects">{m.detects.map((d) => <li key={`${d.category} ${d.sub_label} ${d.what}`}><span className="cat">{words(d.category)}{d.sub_label && ` / ${words(d.sub_label)}`}</span> {d.what}</li>)}</ul>}
      {m.limits && <p>{m.limits}</p>}
      <details>
        <summary>Origin and files</summary>
        {m.origin && <p>{m.origin}</p>}
        <ul>{m.files.map((f) => <li key={f.name}><code>{f.name}</code> {size(f.bytes)} {f.sha256 && <code className="sha">sha256 {f.sha256}</code>}</li>)}</ul>
      </details>
    </li>
  )
}
