import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const freePort = () => new Promise((done, fail) => {
  const s = createServer().once('error', fail).listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => done(port)) })
})

/**
 * Starts a gateway that nobody has set up yet, with a folder of its own, or takes the one that
 * PORTCULLIS_URL and PORTCULLIS_SETUP_URL name. PORTCULLIS_BIN is the binary.
 */
export async function startFresh() {
  const { PORTCULLIS_URL: url, PORTCULLIS_SETUP_URL: setup, PORTCULLIS_BIN: bin = '../bin/portcullis' } = process.env
  if (url && setup) return { url: url.replace(/\/$/, ''), setup, stop: async () => {} }
  const data = await mkdtemp(join(tmpdir(), 'portcullis-e2e-'))
  const [listen, admin] = [await freePort(), await freePort()]
  const child = spawn(bin, ['serve', '--listen', `127.0.0.1:${listen}`, '--admin', `127.0.0.1:${admin}`, '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const ended = new Promise((done) => child.once('exit', done))
  const link = await new Promise((done, fail) => {
    const hear = (chunk) => {
      said += chunk
      const m = /https?:\/\/\S+#\/setup\?token=\S+/.exec(said)
      if (m) done(m[0])
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    ended.then((code) => fail(new Error(`the gateway ended with ${code}:\n${said}`)))
    setTimeout(() => fail(new Error(`no setup link within 60 s:\n${said}`)), 60_000).unref()
  })
  return {
    url: `http://127.0.0.1:${listen}`, setup: link.replace(/^https?:\/\/[^/]+/, `http://127.0.0.1:${listen}`),
    log: () => said,
    stop: async () => { child.kill('SIGTERM'); await ended; await rm(data, { recursive: true, force: true }) },
  }
}
