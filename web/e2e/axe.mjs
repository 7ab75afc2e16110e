import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs axe-core (WCAG 2.2 A and AA, colours included) on the page in light and dark, or in those that are named. */
export async function checkAxe(page, name, schemes = ['dark', 'light']) {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // evaluate runs in the page's own world but not as a script element, so the CSP stands.
    await page.evaluate(source)
    let found = await look(page)
    // A note at the bottom may cover a target until it goes by itself.
    if (found.length > 0 && found.every((v) => v.startsWith('target-size:')) && (await page.locator('.toast').count()) > 0) {
      await page.mouse.move(0, 0)
      await page.waitForFunction(() => document.querySelector('.toast') === null)
      found = await look(page)
    }
    assert.deepEqual(found, [], `axe on ${name}, ${colorScheme}`)
  }
}

const look = (page) => page.evaluate(async () => {
  const r = await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  return r.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.any[0]?.message ?? ''}`).join(', ')})`)
})
