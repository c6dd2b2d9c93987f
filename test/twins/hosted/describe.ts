import type {
  Capabilities,
  DeliveryClass,
  DestinationDescription,
  OutgoingContent,
  StoredContent,
} from '../../../service/src/connectors/contract/contract.ts'
import { familyDefinitions } from '../../../service/src/families/index.ts'

/** Everything that a help desk has, with custom fields of every kind. */
export const describeHosted = (
  deliveryClass: DeliveryClass,
  timing: Pick<Capabilities, 'settleMs' | 'lateMs' | 'idempotencyMs'>,
): DestinationDescription => ({
  account: { name: 'Hosted' },
  textFormat: 'html',
  maxFileBytes: 1024 * 1024,
  capabilities: {
    deliveryClass,
    delete: true,
    silentCreate: true,
    backdate: true,
    createField: true,
    batchSize: 3,
    concurrency: 2,
    ...timing,
  },
  entities: Object.fromEntries(
    familyDefinitions.helpdesk.entities.map(({ name, fields }) => [
      name,
      {
        customFields: 'any' as const,
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, { type, many = false }]) => [
            field,
            { type, many, required: false, maxLength: null, options: [] },
          ]),
        ),
      },
    ]),
  ),
})

/** References become ids of the tool; other values stay unchanged. */
export function flatContent({ fields, customFields, createdAt, updatedAt }: OutgoingContent): StoredContent {
  const flat = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(flat)
    return typeof value === 'object' && value !== null && 'destinationId' in value ? value.destinationId : value
  }
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, flat(value)])),
    customFields,
    createdAt,
    updatedAt,
  }
}
