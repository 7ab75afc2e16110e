/** A random name for a request. crypto.randomUUID is there on pages of https and of this computer alone. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')
}
