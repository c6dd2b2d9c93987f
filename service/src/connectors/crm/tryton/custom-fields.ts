import type { CustomFieldValue, FieldValue } from '../../../families/record.ts'
import type { CustomField } from '../../contract/contract.ts'

// What Tryton has beyond the family. A Tryton as destination takes most of them, so that nothing is lost between two.

const field = (key: string, label: string, type: CustomField['type'], many = false): CustomField => ({
  key,
  label,
  type,
  many,
  options: [],
})

const ofParties = {
  code: field('code', 'Party code', 'text'),
  identifiers: field('identifiers', 'Identifiers', 'text', true),
  contact_mechanisms: field('contact_mechanisms', 'Contact mechanisms', 'text', true),
  address_parts: field('address_parts', 'Parts of addresses', 'text', true),
}

const ofDeals = {
  number: field('number', 'Number', 'text'),
  reference: field('reference', 'Reference', 'text'),
  start_date: field('start_date', 'Start date', 'date'),
  contact: field('contact', 'Contact mechanism', 'text'),
}

/** These depend on things that do not move, so a destination does not take them. */
const ofDealsToReadOnly = {
  address: field('address', 'Address', 'long_text'),
  payment_term: field('payment_term', 'Payment term', 'text'),
  lines: field('lines', 'Products', 'text', true),
}

const ofAttachments = {
  description: field('description', 'Description', 'long_text'),
  link: field('link', 'Link', 'url'),
}

const fields: Record<string, Record<string, CustomField>> = {
  accounts: ofParties,
  contacts: ofParties,
  deals: { ...ofDeals, ...ofDealsToReadOnly },
  attachments: ofAttachments,
}

export const customFieldsToRead = (entity: string): CustomField[] => Object.values(fields[entity] ?? {})
export const customFieldsToWrite = (entity: string): CustomField[] =>
  customFieldsToRead(entity).filter(({ key }) => entity !== 'deals' || key in ofDeals)

/** Of the values that are there. */
export function withCustomFields(
  entity: string,
  values: Record<string, FieldValue | undefined>,
): Record<string, CustomFieldValue> {
  const given = Object.entries(values).flatMap(([key, value]) => {
    const known = fields[entity]?.[key]
    const isBlank =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    if (!known || isBlank) return []
    const { label, type, many } = known
    return [[key, { label, type, ...(many ? { many } : {}), value }] as const]
  })
  return Object.fromEntries(given)
}
