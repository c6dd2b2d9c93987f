// V8 would give new objects up to 128 MB, a quarter of what the whole service may take. It can only be told at the start.
export const heapFlags = ['--max-semi-space-size=8']

// glibc would keep the memory of long texts for later, in as many places as there are threads.
export const heapEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
