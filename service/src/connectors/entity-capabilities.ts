import type { Capabilities, DestinationDescription } from './contract/contract.ts'

export interface CapabilitiesOfEntity extends Capabilities {
  lane: string | null
  laneIdEnds: string | null
}

/** The destination's capabilities for one entity: its own where declared, otherwise the account's. */
export function capabilitiesOf(
  { capabilities, entities }: Pick<DestinationDescription, 'capabilities' | 'entities'>,
  entity: string,
): CapabilitiesOfEntity {
  return { ...capabilities, lane: null, laneIdEnds: null, ...entities[entity]?.capabilities }
}

type Described = Pick<DestinationDescription, 'capabilities' | 'entities'>

/** Whether records of the entity are sent inside new records of another entity. */
export const isCarried = ({ entities }: Pick<Described, 'entities'>, entity: string): boolean =>
  Object.values(entities).some(({ carries }) => carries?.[entity] !== undefined)

/**
 * Whether the destination keeps times and authors of records of this entity. `hasComeInside`: the record was sent
 * inside another one.
 */
export const keepsTimes = (destination: Described, entity: string, hasComeInside: boolean): boolean =>
  capabilitiesOf(destination, entity).backdate ||
  (hasComeInside && Object.values(destination.entities).some(({ carries }) => carries?.[entity]?.backdate === true))

/** Entities whose times are kept only inside new records, with the maximum number in each. */
export function datedInside(destination: Described): { entity: string; most: number }[] {
  const carried = Object.values(destination.entities).flatMap(({ carries = {} }) => Object.entries(carries))
  return carried.flatMap(([entity, { most, backdate }]) =>
    backdate && !capabilitiesOf(destination, entity).backdate ? [{ entity, most }] : [],
  )
}

/**
 * Capabilities that hold for every entity: the weakest of each. Entities of `datedInside` do not count for `backdate`.
 */
export function sumUp(
  destination: Pick<DestinationDescription, 'capabilities' | 'entities'>,
): Pick<Capabilities, 'backdate' | 'silentCreate' | 'deliveryClass'> {
  const { capabilities, entities } = destination
  const ofEntity = (names: readonly string[]) => names.map((entity) => capabilitiesOf(destination, entity))
  const inside = new Set(datedInside(destination).map(({ entity }) => entity))
  const each = [capabilities, ...ofEntity(Object.keys(entities))]
  const dated = [capabilities, ...ofEntity(Object.keys(entities).filter((entity) => !inside.has(entity)))]
  return {
    backdate: dated.every(({ backdate }) => backdate),
    silentCreate: each.every(({ silentCreate }) => silentCreate),
    deliveryClass:
      each
        .map(({ deliveryClass }) => deliveryClass)
        .toSorted()
        .at(-1) ?? capabilities.deliveryClass,
  }
}
