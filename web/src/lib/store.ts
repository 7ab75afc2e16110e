import { useSyncExternalStore } from 'react'

/** Store holds one immutable value that components follow. */
export class Store<T> {
  private readonly listeners = new Set<() => void>()
  constructor(protected value: T) {}

  readonly get = (): T => this.value

  set(value: T): void {
    if (Object.is(value, this.value)) return
    this.value = value
    for (const l of this.listeners) l()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => { this.listeners.delete(listener) }
  }
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}
