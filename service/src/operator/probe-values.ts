import type {
  DestinationDescription,
  DestinationField,
  OutgoingRecord,
  SentRelation,
} from '../connectors/contract/contract.ts'
import type { EntityDefinition } from '../families/definition.ts'

/** A moment long ago, so that a time set by the tool itself is noticed. */
export const probedMoment = '2020-02-29T12:34:56.000Z'

export interface ProbeSurroundings {
  description: DestinationDescription
  /** Records of the probe that later records can refer to, by entity. */
  made: ReadonlyMap<string, SentRelation>
  /** A user of the account, for records that must name one. */
  user: string | null
  /** The only address that may receive mails. */
  mailTo: string
}

/** A record with a value in every field that the tool accepts. Null if a required value is not available. */
export function probeRecord(
  { name: entity, fields: defined }: EntityDefinition,
  key: string,
  around: ProbeSurroundings,
): OutgoingRecord | null {
  const { description, made, user } = around
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(description.entities[entity]?.fields ?? {})) {
    const target = (defined[name]?.to ?? []).flatMap((to) => made.get(to) ?? [])[0]
    const isNeeded = field.required || defined[name]?.required === true
    const one =
      field.type === 'relation'
        ? target
        : field.type === 'user'
          ? isNeeded
            ? (user ?? undefined)
            : undefined
          : probeValue(field, key, around)
    if (one !== undefined) fields[name] = field.many ? [one] : one
    else if (isNeeded) return null
  }
  const moments = { createdAt: probedMoment, updatedAt: probedMoment }
  return { key, revision: 1, destinationId: null, createdBy: null, fields, customFields: {}, ...moments }
}

function probeValue(field: DestinationField, key: string, { description, mailTo }: ProbeSurroundings): unknown {
  const words = `Wherry probe ${key.split('/').at(-1)}, may be deleted`
  const cut = (text: string) => (field.maxLength === null ? text : text.slice(0, field.maxLength))
  switch (field.type) {
    case 'text':
    case 'long_text':
      return cut(words)
    case 'rich_text':
      return cut(description.textFormat === 'html' ? `<p>${words}</p>` : words)
    case 'integer':
      return 7
    case 'decimal':
      return 1.5
    case 'boolean':
      return true
    case 'date':
      return probedMoment.slice(0, 10)
    case 'datetime':
      return probedMoment
    case 'option':
      return field.options[0]
    case 'email':
      return field.isDetailed ? { address: mailTo, type: 'work', isPrimary: true } : mailTo
    case 'phone':
      return field.isDetailed ? { number: '+44 1632 960001', type: 'work' } : '+44 1632 960001'
    case 'url':
      return 'https://example.com/wherry-probe'
    case 'money':
      return { amount: '12.50', currency: 'EUR' }
    case 'address':
      return { line1: '1 Quay Street', city: 'Cork', country: 'IE' }
    default:
      return undefined
  }
}
