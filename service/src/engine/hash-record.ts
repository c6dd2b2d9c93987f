import { hash as digest } from 'node:crypto'
import type { OutgoingContent, StoredContent } from '../connectors/contract.ts'
import type { MappingParts } from './run-context.ts'

/**
 * Hex; the same for the same content, whatever the order of properties. Empty fields count as missing: destinations leave
 * out what is empty.
 */
export function hashRecord({ fields, customFields, createdAt, updatedAt }: StoredContent): string {
  return digest('sha256', canonical([fields, customFields, momentOf(createdAt), momentOf(updatedAt)]))
}

/** The same without times, which a destination may change by itself. */
export const hashContent = ({ fields, customFields }: StoredContent): string =>
  hashRecord({ fields, customFields, createdAt: null, updatedAt: null })

/** Whatever way it is written in. */
function momentOf(moment: string | null): number | null {
  const ms = moment === null ? Number.NaN : Date.parse(moment)
  return Number.isNaN(ms) ? null : ms
}

/** Every record passes here, so this is a loop. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const entries = value as Record<string, unknown>
  let text = ''
  for (const name of Object.keys(entries).sort()) {
    const entry = entries[name]
    if (!isEmpty(entry)) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(entry)}`
  }
  return `{${text}}`
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** What will be read back of a record that is sent so. Times count only where the destination keeps them. */
export function storedContent(
  { writer, mapping }: Pick<MappingParts, 'writer' | 'mapping'>,
  entity: string,
  { fields, customFields, createdAt, updatedAt }: OutgoingContent,
): StoredContent {
  const keepsTimes = mapping.destination.capabilities.backdate
  return writer.asStored(entity, {
    fields,
    customFields,
    createdAt: keepsTimes ? createdAt : null,
    updatedAt: keepsTimes ? updatedAt : null,
  })
}

/**
 * Whether a record that was read back is what was sent. A time that was not sent is the destination's own business, and
 * the hash does not tell whether one was.
 */
export function isAsSent(hash: string | null, found: StoredContent): boolean {
  if (hash === null) return false
  const { fields, customFields, createdAt, updatedAt } = found
  return [createdAt, null].some((created) =>
    [updatedAt, null].some(
      (updated) => hashRecord({ fields, customFields, createdAt: created, updatedAt: updated }) === hash,
    ),
  )
}

/** The names of what is not the same in both. */
export function listDifferences(expected: StoredContent, found: StoredContent): string[] {
  const flat = ({ fields, customFields, createdAt, updatedAt }: StoredContent): Record<string, unknown> => ({
    ...fields,
    ...Object.fromEntries(Object.entries(customFields).map(([key, value]) => [`custom:${key}`, value])),
    created_at: momentOf(createdAt),
    updated_at: momentOf(updatedAt),
  })
  const [one, other] = [flat(expected), flat(found)]
  for (const time of ['created_at', 'updated_at']) if (one[time] === null) delete other[time]
  const comparable = (value: unknown) => (isEmpty(value) ? '' : canonical(value))
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => comparable(one[name]) !== comparable(other[name])).sort()
}
