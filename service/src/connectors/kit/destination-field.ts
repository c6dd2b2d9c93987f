import type { DestinationField } from '../contract/contract.ts'

/** Short description of one field of a destination, for tools that need more than lenses. */
export const destinationField = (
  type: DestinationField['type'],
  more: Partial<DestinationField> = {},
): DestinationField => ({ type, many: false, required: false, maxLength: null, options: [], ...more })
