import { useEffect, type ReactNode } from 'react'
import { Mark } from '../ui/Mark'
import { ThemeToggle } from '../ui/ThemeToggle'

/** Entry is the page in front of the console: one card, one task. */
export function Entry({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => { document.title = title === 'Portcullis' ? title : `${title} · Portcullis` }, [title])
  return (
    <div className="entry">
      <div className="entry-corner"><ThemeToggle /></div>
      <main className="entry-card">
        <div className="entry-brand"><Mark size={32} /><span>Portcullis</span></div>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}
