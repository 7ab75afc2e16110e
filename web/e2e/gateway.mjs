// A real gateway for a test: bin/portcullis (or PORTCULLIS_BIN) on free ports, with a
// data folder that goes away, moderators made by its own command line and an app. With
// app: '' there is none; setup is the link that makes the first administrator, where no
// users are asked for. In development there is no configuration, and a demo.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const binary = process.env.PORTCULLIS_BIN ?? fileURLToPath(new URL('../../bin/portcullis', import.meta.url))
/** Runs a command of the gateway's. */
export const command = (...args) => run(binary, args)
export const password = 'a long enough passphrase'

export async function startGateway({ config = '', users = {}, app = 'game', development = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'portcullis-e2e-'))
  const data = join(folder, 'data')
  const file = join(folder, 'portcullis.yaml')
  await writeFile(file, config)
  const child = spawn(binary, ['serve', ...(development ? [] : ['--config', file]), '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill()
      await new Promise((done) => child.once('exit', done))
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const addr = await new Promise((found, failed) => {
      const listen = (chunk) => {
        log = (log + chunk).slice(-200_000)
        const at = /"msg":"listening"[^\n]*"addr":"([^"]+)"/.exec(log)
        if (at) found(at[1])
      }
      child.stdout.on('data', listen)
      child.stderr.on('data', listen)
      child.once('exit', () => failed(new Error(`serve ended:\n${log}`)))
      setTimeout(() => failed(new Error(`serve did not listen:\n${log}`)), 240_000).unref()
    })
    for (const [name, role] of Object.entries(users)) {
      const made = run(binary, ['users', 'create', '--data', data, '--name', name, '--role', role, '--password-stdin'])
      made.child.stdin.end(`${password}\n`)
      await made
    }
    const secret = app && JSON.parse((await run(binary, ['keys', 'create', '--data', data, '--app', app, '--json'])).stdout).secret
    const link = () => /https?:\/\/\S+#\/setup\?token=[\w-]+/.exec(log)?.[0]
    for (let i = 0; i < 200 && Object.keys(users).length === 0 && !link(); i++) await sleep(50) // it is printed once all listens
    const setup = link()
    return { url: `http://${addr}`, setup, app, secret, data, folder, log: () => log, command: (...args) => command(...args, '--data', data), stop }
  } catch (err) {
    await stop()
    throw err
  }
}
