import type { Capabilities, DestinationDescription } from './contract.ts'

export interface CapabilitiesOfEntity extends Capabilities {
  lane: string | null
}

/** What the destination can do with one entity: what it says of it, otherwise what it says of the account. */
export function capabilitiesOf(
  { capabilities, entities }: Pick<DestinationDescription, 'capabilities' | 'entities'>,
  entity: string,
): CapabilitiesOfEntity {
  return { ...capabilities, lane: null, ...entities[entity]?.capabilities }
}

/** What holds for every entity: the least of what they can do. */
export function sumUp(
  destination: Pick<DestinationDescription, 'capabilities' | 'entities'>,
): Pick<Capabilities, 'backdate' | 'silentCreate' | 'deliveryClass'> {
  const { capabilities, entities } = destination
  const each = [capabilities, ...Object.keys(entities).map((entity) => capabilitiesOf(destination, entity))]
  return {
    backdate: each.every(({ backdate }) => backdate),
    silentCreate: each.every(({ silentCreate }) => silentCreate),
    deliveryClass:
      each
        .map(({ deliveryClass }) => deliveryClass)
        .toSorted()
        .at(-1) ?? capabilities.deliveryClass,
  }
}
