import { fileURLToPath } from 'node:url'

/**
 * V8 would give new objects up to 128 MB, a quarter of what the whole service may take. It can only be told at the start.
 * A process that only answers requests makes small objects, and keeps hardly any of them.
 */
export const heapFlagsOf = (role) => [`--max-semi-space-size=${role === 'api' ? 2 : 8}`]

export const heapEnvironment = {
  // glibc would keep the memory of long texts for later, in as many places as there are threads.
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
  // Where Node finds what it compiled before, it needs no compiler: 22 MB less in the process and in each of its threads,
  // and most of the time of a start. Where nothing can be kept, nothing is.
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/wherry', import.meta.url)),
}
