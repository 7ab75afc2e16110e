import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Shots keeps a page as light and dark pictures, at 1440 and 390 px unless told otherwise. */
export class Shots {
  constructor(folder, sizes = [[1440, 900], [390, 844]]) { this.folder = folder; this.sizes = sizes }

  async all(page, name) {
    if (!this.folder) return
    await mkdir(this.folder, { recursive: true })
    const before = page.viewportSize()
    for (const [width, height] of this.sizes) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.waitForTimeout(150) // the virtual rows settle after a resize
        await page.screenshot({ path: join(this.folder, `${name}-${width}-${colorScheme}.png`), fullPage: page.url().includes('/demo/') })
      }
    }
    await page.setViewportSize(before)
  }
}
