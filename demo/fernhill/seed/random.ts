/** Seeded randomness: the same seed gives the same desk. */
export interface Random {
  below(limit: number): number
  between(low: number, high: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

/** mulberry32, public domain: small, fast, and good enough for sample data. */
export function createRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick: (list) => at(list, below(list.length)),
  }
}

/** The element at a position, modulo the length. */
export function at<T>(list: readonly T[], position: number): T {
  const found = list[position % list.length]
  if (found === undefined) throw new Error('Nothing to choose from in an empty list')
  return found
}
