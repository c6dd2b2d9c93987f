import type { Sending } from './sending.ts'

type Laned = Pick<Sending, 'outgoing'>

export interface ChainRules<S> {
  /** Records of a request. */
  size: number
  /** The relation whose records go one after the other; null where any order will do. */
  lane: string | null
  /** Sent by itself, after the others: it has failed before. */
  isAlone(sending: S): boolean
}

/**
 * The batches in which records are sent. Batches of one chain go one after the other; chains may overlap. A lane is
 * never spread over two chains, and short lanes share a batch.
 */
export function intoChains<S extends Laned>(sendings: readonly S[], { size, lane, isAlone }: ChainRules<S>): S[][][] {
  const alone = sendings.filter(isAlone)
  const others = alone.length === 0 ? sendings : sendings.filter((sending) => !isAlone(sending))
  if (lane === null) return [...cut(others, size), ...alone.map((sending) => [sending])].map((batch) => [batch])
  const lanes = Map.groupBy(sendings, (sending) => laneOf(sending, lane))
  const chains: S[][][] = []
  let shared: S[] = []
  for (const [name, members] of lanes) {
    const isShort = name !== null && members.length <= size && !members.some(isAlone)
    if (!isShort) {
      // Records that lead nowhere wait for nobody.
      const batches = [
        ...cut(
          members.filter((one) => !isAlone(one)),
          size,
        ),
        ...members.filter(isAlone).map((one) => [one]),
      ]
      chains.push(...(name === null ? batches.map((batch) => [batch]) : [batches]))
      continue
    }
    if (shared.length + members.length > size) {
      chains.push([shared])
      shared = []
    }
    shared.push(...members)
  }
  return shared.length === 0 ? chains : [...chains, [shared]]
}

const cut = <S>(list: readonly S[], size: number): S[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size))

/** Which record of the destination the lane leads to; null if to none. */
function laneOf({ outgoing }: Laned, lane: string): string | null {
  const value = outgoing.fields[lane]
  const [first] = Array.isArray(value) ? value : [value]
  return typeof first === 'object' && first !== null && 'destinationId' in first ? String(first.destinationId) : null
}
