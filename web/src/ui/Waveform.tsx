import { useEffect, useRef, useState } from 'react'
import { useText } from '../i18n/text'
import { bars, clock, type Stretch } from '../lib/clip'

interface Props {
  peaks: readonly number[]
  marks: readonly Stretch[]
  at: number
  length: number
  onGo: (ms: number) => void
  onToggle: () => void
}

/** Waveform draws a sound over its time, what was found in it underlined, and is the slider that moves in it. */
export function Waveform({ peaks, marks, at, length, onGo, onToggle }: Props) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [size, setSize] = useState({ width: 0, height: 0, drawn: 0 })

  useEffect(() => {
    const c = canvas.current
    if (!c) return
    const look = () => setSize((s) => ({ width: c.clientWidth, height: c.clientHeight, drawn: s.drawn + 1 }))
    look()
    const sized = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(look)
    sized?.observe(c)
    const theme = new MutationObserver(look)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => { sized?.disconnect(); theme.disconnect() }
  }, [])

  useEffect(() => {
    const c = canvas.current
    const draw = c?.getContext('2d')
    if (!c || !draw || !size.width) return
    const scale = window.devicePixelRatio || 1
    c.width = size.width * scale
    c.height = size.height * scale
    draw.scale(scale, scale)
    const style = getComputedStyle(c)
    const colour = (name: string) => style.getPropertyValue(name).trim() || style.color
    const middle = (size.height - 8) / 2
    const heights = bars(peaks, Math.max(1, Math.floor(size.width / 3)))
    const step = size.width / Math.max(1, heights.length)
    heights.forEach((h, i) => {
      draw.fillStyle = colour(length > 0 && (i + 0.5) / heights.length <= at / length ? '--accent' : '--line-strong')
      const tall = Math.max(1, h * middle)
      draw.fillRect(i * step, middle - tall, Math.max(1, step - 1), 2 * tall)
    })
    if (!length) return
    draw.fillStyle = colour('--block')
    for (const m of marks) draw.fillRect((m.at_ms / length) * size.width, size.height - 6, Math.max(3, ((m.end_ms - m.at_ms) / length) * size.width), 4)
    draw.fillStyle = colour('--text')
    draw.fillRect(Math.min(size.width - 2, (at / length) * size.width), 0, 2, size.height - 8)
  }, [peaks, marks, at, length, size])

  const keys: Record<string, number> = { ArrowRight: 1000, ArrowUp: 1000, ArrowLeft: -1000, ArrowDown: -1000, PageUp: 10_000, PageDown: -10_000, Home: -Infinity, End: Infinity }
  return (
    <div
      className="waveform" role="slider" tabIndex={0} aria-label={t('clip.position')}
      aria-valuemin={0} aria-valuemax={Math.round(length)} aria-valuenow={Math.round(Math.min(at, length))} aria-valuetext={t('clip.position_value', { at: clock(at), all: clock(length) })}
      onKeyDown={(e) => {
        if (e.ctrlKey || e.metaKey || e.altKey) return
        const by = keys[e.key]
        if (by === undefined && e.key !== ' ') return
        e.preventDefault()
        e.stopPropagation()
        if (by === undefined) onToggle()
        else onGo(Math.min(length, Math.max(0, at + by)))
      }}
      onPointerDown={(e) => {
        const box = e.currentTarget.getBoundingClientRect()
        if (length && box.width) onGo(((e.clientX - box.left) / box.width) * length)
      }}
    >
      <canvas ref={canvas} />
    </div>
  )
}
