import { setFlagsFromString } from 'node:v8'

/**
 * A run leaves garbage behind as fast as it moves records. By default V8 lets garbage grow to four times the memory
 * in use, so that memory would seem to grow with the import. A limit of one and a half times has no measurable cost.
 * A process that only answers requests keeps hardly any objects, so a limit of 1.2 times costs it nothing measurable.
 * A version of V8 that does not know the flag ignores it.
 */
export function limitHeap(keeps: 'much' | 'little'): void {
  setFlagsFromString(`--heap-growing-percent=${keeps === 'little' ? 20 : 50}`)
}
