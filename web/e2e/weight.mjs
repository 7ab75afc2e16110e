// What the first screens weigh over the wire: all that a browser with nothing cached
// fetches, as it was sent (compressed), headers and the first answers of the API included.
export const limit = 400_000 // bytes

/** Bytes of the sign-in and of the feed of somebody who is signed in; enter signs a page in. */
export async function firstScreens(browser, url, enter) {
  const first = await browser.newContext()
  await enter(await first.newPage(), url)
  const cookies = await first.cookies()
  await first.close()
  const weights = {}
  for (const [name, jar, shown] of [['sign-in', [], 'form input'], ['feed', cookies, '.feed-head']]) {
    const context = await browser.newContext()
    await context.addCookies(jar)
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    let bytes = 0
    cdp.on('Network.loadingFinished', (e) => { bytes += e.encodedDataLength })
    await cdp.send('Network.enable')
    await page.goto(`${url}/console/#/feed`)
    await page.waitForSelector(shown)
    await page.waitForTimeout(1000) // what the screen fetches when it stands
    weights[name] = bytes
    await context.close()
  }
  return weights
}
