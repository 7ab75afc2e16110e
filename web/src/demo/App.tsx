import { useCallback, useEffect, useRef, useState } from 'react'
import type { Scene } from '../lib/wire'
import { Mark } from '../ui/Mark'
import { ThemeToggle } from '../ui/ThemeToggle'
import { Examples } from './Examples'
import { sceneStory, sceneTitle } from './examples'
import { ModeratorStrip } from './ModeratorStrip'
import { Pane, type PaneHandle } from './Pane'
import { TryBox } from './TryBox'
import { usePlayer } from './usePlayer'

const remembered = () => new URLSearchParams(location.hash.slice(1)).get('scene') ?? ''

/** App is the demo: two players, one scene, and what the moderators see of it. */
export function App() {
  const [scenes, setScenes] = useState<Scene[]>([])
  const [picked, setPicked] = useState(remembered)
  const scene = scenes.find((s) => s.scene_id === picked) ?? scenes[0]
  const onScenes = useCallback((s: Scene[]) => setScenes((old) => (JSON.stringify(old) === JSON.stringify(s) ? old : s)), [])
  const alice = usePlayer('alice', scene?.scene_id, onScenes)
  const bob = usePlayer('bob', scene?.scene_id, onScenes)
  const alicePane = useRef<PaneHandle>(null)
  const bobPane = useRef<PaneHandle>(null)
  const [writer, setWriter] = useState<'alice' | 'bob'>('alice')

  useEffect(() => { if (scene) history.replaceState(null, '', `#scene=${encodeURIComponent(scene.scene_id)}`) }, [scene])

  return (
    <div className="demo">
      <header className="demo-head">
        <Mark />
        <h1>Portcullis demo</h1>
        <span className="grow" />
        <a className="button" href="../console/">Console</a>
        <ThemeToggle />
      </header>
      <main>
        <section className="stage" aria-label="Scene">
          <div className="scenes" role="radiogroup" aria-label="How this scene is moderated">
            {scenes.map((s) => (
              <label key={s.scene_id} className={s === scene ? 'scene scene-on' : 'scene'}>
                <input type="radio" name="scene" value={s.scene_id} checked={s === scene} onChange={() => setPicked(s.scene_id)} />
                {sceneTitle(s)}
              </label>
            ))}
          </div>
          <p className="story" aria-live="polite">
            {scene ? sceneStory(scene) : alice.link.phase === 'stopped'
              ? 'The gateway offers no demo here. It is there when Portcullis runs without a configuration file.'
              : 'Connecting to the gateway…'}
          </p>
          <Examples writer={writer === 'alice' ? 'Alice' : 'Bob'} onPick={(line, lang) => (writer === 'alice' ? alicePane : bobPane).current?.fill(line, lang)} />
        </section>
        <div className="panes">
          <Pane ref={alicePane} name="Alice" other="Bob" scene={scene} player={alice} onFocus={() => setWriter('alice')} />
          <Pane ref={bobPane} name="Bob" other="Alice" scene={scene} player={bob} onFocus={() => setWriter('bob')} />
        </div>
        <ModeratorStrip scene={scene} />
        <TryBox scene={scene} />
      </main>
    </div>
  )
}
