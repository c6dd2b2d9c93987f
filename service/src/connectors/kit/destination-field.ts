import type { DestinationField } from '../contract/contract.ts'

/** Describes one field of a destination, for connectors that do not use lenses for it. */
export const destinationField = (
  type: DestinationField['type'],
  more: Partial<DestinationField> = {},
): DestinationField => ({ type, many: false, required: false, maxLength: null, options: [], ...more })
