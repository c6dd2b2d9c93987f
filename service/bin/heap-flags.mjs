import { fileURLToPath } from 'node:url'

/**
 * V8 would give new objects up to 128 MB, a quarter of what the whole service may take, and let garbage grow to four
 * times the memory in use, so that memory would seem to grow with an import. Both limits must be set at the start: V8
 * decides at each collection when the next one comes, and after the start it may be long until then.
 * A process that only answers requests makes small objects, and keeps hardly any of them.
 */
export const heapFlagsOf = (role) =>
  role === 'api'
    ? // Maglev, V8's middle compiler, leaves freed memory in pieces that glibc cannot give back. Sparkplug, its first
      // compiler, keeps code that makes answers no faster.
      ['--max-semi-space-size=2', '--heap-growing-percent=20', '--no-maglev', '--no-sparkplug']
    : ['--max-semi-space-size=8', '--heap-growing-percent=50']

export const heapEnvironment = {
  // glibc would keep the memory of long texts, once for each thread.
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // With a compile cache Node needs no compiler. That saves 22 MB in the process and in each thread, and most of the
  // start time. Without a writable folder there is no cache.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/wherry', import.meta.url)),
}
