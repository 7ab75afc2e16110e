/** Tabs are the places within a screen, each with an address of its own. */
export function Tabs({ label, items }: { label: string; items: readonly { href: string; text: string; here: boolean }[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((i) => <a key={i.href} href={i.href} aria-current={i.here ? 'page' : undefined}>{i.text}</a>)}
    </nav>
  )
}
