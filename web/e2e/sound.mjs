// Sound for a browser's microphone: what is in a file, and WAV files made of it.

export const rate = 16_000

/** The sound of a file of any kind that the browser reads, given or at a URL: samples of one channel, -1 to 1. */
export async function decoded(page, file) {
  const from = typeof file === 'string' ? { url: file } : { base64: Buffer.from(file).toString('base64') }
  const samples = await page.evaluate(async ({ url, base64, sampleRate }) => {
    const bytes = url ? await (await fetch(url)).arrayBuffer() : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer
    const sound = await new OfflineAudioContext(1, 1, sampleRate).decodeAudioData(bytes)
    return Array.from(sound.getChannelData(0))
  }, { ...from, sampleRate: rate })
  return Float32Array.from(samples)
}

/** A WAV file of 16 bits with so many seconds of silence before and after the sound. */
export function wav(sound, { before, after }) {
  const n = Math.round(before * rate) + sound.length + Math.round(after * rate)
  const out = Buffer.alloc(44 + 2 * n)
  out.write('RIFF', 0)
  out.writeUInt32LE(36 + 2 * n, 4)
  out.write('WAVEfmt ', 8)
  out.writeUInt32LE(16, 16)
  out.writeUInt16LE(1, 20) // PCM
  out.writeUInt16LE(1, 22) // one channel
  out.writeUInt32LE(rate, 24)
  out.writeUInt32LE(2 * rate, 28)
  out.writeUInt16LE(2, 32)
  out.writeUInt16LE(16, 34)
  out.write('data', 36)
  out.writeUInt32LE(2 * n, 40)
  sound.forEach((v, i) => out.writeInt16LE(Math.round(Math.max(-1, Math.min(1, v)) * 32767), 44 + 2 * (Math.round(before * rate) + i)))
  return out
}
