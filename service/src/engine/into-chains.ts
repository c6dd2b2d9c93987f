import type { Sending } from './sending.ts'

type Laned = Pick<Sending, 'outgoing'>

export interface ChainRules<S> {
  /** Records of a request. */
  size: number
  /** The relation whose records are sent one after the other; null for any order. */
  lane: string | null
  /** The text that ends a lane's name in the ids of the lane's records; null if each of them is a lane. */
  laneIdEnds: string | null
  /** Whether a record is sent by itself, after the others, because it failed before. */
  isAlone(sending: S): boolean
}

/**
 * The batches in which records are sent. Batches of one chain go one after the other; chains may overlap. A lane is
 * never spread over two chains, and short lanes share a batch.
 */
export function intoChains<S extends Laned>(sendings: readonly S[], rules: ChainRules<S>): S[][][] {
  const { size, lane, laneIdEnds, isAlone } = rules
  const alone = sendings.filter(isAlone)
  const others = alone.length === 0 ? sendings : sendings.filter((sending) => !isAlone(sending))
  if (lane === null) return [...cut(others, size), ...alone.map((sending) => [sending])].map((batch) => [batch])
  const lanes = Map.groupBy(sendings, (sending) => laneOf(sending, lane, laneIdEnds))
  const chains: S[][][] = []
  let shared: S[] = []
  for (const [name, members] of lanes) {
    const isShort = name !== null && members.length <= size && !members.some(isAlone)
    if (!isShort) {
      // Records without this relation wait for no other record.
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

/** The id of the record that the lane's relation points to, or its beginning; null for none. */
function laneOf({ outgoing }: Laned, lane: string, ends: string | null): string | null {
  const value = outgoing.fields[lane]
  const [first] = Array.isArray(value) ? value : [value]
  const isPlaced = typeof first === 'object' && first !== null && 'destinationId' in first
  if (!isPlaced) return null
  const id = String(first.destinationId)
  return ends === null ? id : (id.split(ends, 1)[0] ?? id)
}
