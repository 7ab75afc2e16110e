import { useEffect, useRef } from 'react'

/** Tabs are the places within a screen, each with an address of its own. Where they have no room they are one line that moves, with the one that is open in sight. */
export function Tabs({ label, items }: { label: string; items: readonly { href: string; text: string; here: boolean }[] }) {
  const row = useRef<HTMLElement>(null)
  const here = items.find((i) => i.here)?.href
  useEffect(() => {
    const [of, at] = [row.current, row.current?.querySelector<HTMLElement>('[aria-current]')]
    if (of && at) of.scrollLeft = at.offsetLeft - (of.clientWidth - at.offsetWidth) / 2
  }, [here])
  return (
    <nav className="tabs" aria-label={label} ref={row}>
      {items.map((i) => <a key={i.href} href={i.href} aria-current={i.here ? 'page' : undefined}>{i.text}</a>)}
    </nav>
  )
}
