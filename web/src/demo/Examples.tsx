import { useState } from 'react'
import { Button } from 'react-aria-components'
import { languages } from './examples'

interface Props { writer: string; onPick: (line: string, lang: string) => void }

/** Examples offers lines to try; a line goes into the box of whoever writes. */
export function Examples({ writer, onPick }: Props) {
  const [tag, setTag] = useState('en')
  const language = languages.find((l) => l.tag === tag) ?? languages[0]
  return (
    <div className="examples">
      <label className="examples-lang"><span className="sr-only">Language of the examples</span>
        <select value={tag} onChange={(e) => setTag(e.target.value)}>
          {languages.map((l) => <option key={l.tag} value={l.tag}>{l.name}</option>)}
        </select>
      </label>
      <ul className="lines" aria-label={`Example lines, for ${writer}`}>
        {language?.lines.map((line) => (
          <li key={line}><Button className="line" onPress={() => onPick(line, tag)}><span className="sr-only">Write as {writer}: </span><bdi lang={tag}>{line}</bdi></Button></li>
        ))}
      </ul>
    </div>
  )
}
