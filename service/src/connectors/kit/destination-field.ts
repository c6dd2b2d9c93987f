import type { DestinationField } from '../contract/contract.ts'

/** What a destination says of one of its fields, in short. For tools that need more than lenses. */
export const destinationField = (
  type: DestinationField['type'],
  more: Partial<DestinationField> = {},
): DestinationField => ({ type, many: false, required: false, maxLength: null, options: [], ...more })
